/**
 * Chart pieces that experiments and the demo share: a card with a title that states the finding, values with
 * their intervals, a position on the eye. Each is a function from data to SVG text, drawn without a browser.
 * Start with `card`.
 *
 * @module
 */
export { boardMap, type BoardMapOptions } from "./board_map.ts";
export { brainLevels, brainPicture, type BrainPlaces, brainPlaces, type BrainView } from "./brain_picture.ts";
export { card, type CardOptions, escapeXml, type Panel } from "./card.ts";
export { type Curve, curveChart, type CurveChartOptions, type CurvePoint } from "./curves.ts";
export { dotChart, type DotChartOptions, type DotRow } from "./dots.ts";
export { eyeBoard, type EyeCell, eyeCells, eyeDots, litColour } from "./eye_board.ts";
export { type HeatCell, heatMap, type HeatMapOptions, shadeColour } from "./heat_map.ts";
export { intervalChart, type IntervalChartOptions, type IntervalRow } from "./intervals.ts";
export { asMime, type MimeBundle, show, type ShowOptions, showProgress } from "./jupyter.ts";
export { landscape, type LandscapeOptions, type Place } from "./landscape.ts";
export { type Line, lineChart, type LineChartOptions } from "./lines.ts";
export { stripChart, type StripChartOptions, type StripRow, type StripValue } from "./strips.ts";
export { type Surface, surfacePage, type SurfacePageOptions } from "./surface_page.ts";
export { PALETTE, SERIES, TYPE_SIZE, TYPEFACE } from "./style.ts";
