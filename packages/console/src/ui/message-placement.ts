/**
 * The placement of every message that replaces a page's or table's content: empty, missing, failed, not found. Left
 * on the gutter, at one distance from what is above, and never wider than text is read well.
 */
export const messagePlacement = 'max-w-xl px-(--gutter) py-8'
