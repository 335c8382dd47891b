/** The creation times of the first and the last row in view, in ISO 8601. */
export interface TimesInView {
  readonly newest: string;
  readonly oldest: string;
}
