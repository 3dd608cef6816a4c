/** How much fits on a paper. */
export const paperBounds = {
  maxTextLength: 500,
  maxParagraphLength: 2_000,
  maxFigures: 8,
  maxColumns: 8,
  /** Of one table: about 60 pages. */
  maxRows: 3_000,
  maxBars: 20,
  maxPoints: 800,
  maxSeries: 6,
  maxTicks: 12,
  maxGaps: 50,
  maxUnread: 50,
  maxSections: 12,
  maxSources: 30,
} as const
