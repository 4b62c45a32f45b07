import type { Experiment } from "./_experiment.ts";

/**
 * Every experiment by its name, in the order in which the argument goes. A module exports what `Experiment` says:
 * `question`, `run`, `figure`.
 */
export const EXPERIMENTS: Readonly<Record<string, () => Promise<Experiment>>> = {
  awakening: () => import("./awakening.ts"),
  steps: () => import("./steps.ts"),
  beyond: () => import("./beyond.ts"),
  eye: () => import("./eye.ts"),
  controls: () => import("./controls.ts"),
  read_steps: () => import("./read_steps.ts"),
  descent: () => import("./descent.ts"),
  loss_landscape: () => import("./loss_landscape.ts"),
  two_glances: () => import("./two_glances.ts"),
  blame: () => import("./blame.ts"),
  training_run: () => import("./training_run.ts"),
  streaming: () => import("./streaming.ts"),
  long_run: () => import("./long_run.ts"),
  curriculum: () => import("./curriculum.ts"),
  brain_learning: () => import("./brain_learning.ts"),
  occlusion: () => import("./occlusion.ts"),
  confusion: () => import("./confusion.ts"),
  imagination: () => import("./imagination.ts"),
  engine_speed: () => import("./engine_speed.ts"),
  cost_of_scale: () => import("./cost_of_scale.ts"),
  dopamine_cut: () => import("./dopamine_cut.ts"),
  dopamine_curve: () => import("./dopamine_curve.ts"),
  dopamine_games: () => import("./dopamine_games.ts"),
  dopamine_lesson: () => import("./dopamine_lesson.ts"),
  dopamine_pilots: () => import("./dopamine_pilots.ts"),
  dopamine_rules: () => import("./dopamine_rules.ts"),
  thinking_time: () => import("./thinking_time.ts"),
  wiring: () => import("./wiring.ts"),
  wiring_curve: () => import("./wiring_curve.ts"),
  pattern_separation: () => import("./pattern_separation.ts"),
};
