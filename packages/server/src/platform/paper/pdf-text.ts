import type PDFDocument from 'pdfkit'

export type Pdf = InstanceType<typeof PDFDocument>

/** The text with "?" for each letter that the fonts of every reader of PDF do not have. */
export const written = (text: string) =>
  text.replace(/[^\t\n -~\u00a0-\u00ff\u20ac\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u2022]/gu, '?')
