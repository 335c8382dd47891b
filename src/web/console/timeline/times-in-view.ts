/** The times of the rows in view. */
export interface TimesInView {
  readonly newest: string;
  readonly oldest: string;
}
