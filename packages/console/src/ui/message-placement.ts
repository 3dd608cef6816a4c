/**
 * Where every message in place of a page's or table's content stands: what is empty, missing, failed or not found. Left
 * on the gutter, at one distance from what is above, and never wider than text is read well.
 */
export const messagePlacement = 'max-w-xl px-(--gutter) py-8'
