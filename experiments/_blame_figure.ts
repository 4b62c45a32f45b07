export function figure(): string {
  return "";
}
