import { isEmail } from '../auth/email-rules.ts'

/** Formats of JSON Schema that the input of a run and the form of an approval are held to; others are notes. */
export const checkedFormats = ['uri', 'email', 'date-time', 'date', 'uuid'] as const
export type CheckedFormat = (typeof checkedFormats)[number]

const formats: Readonly<Record<CheckedFormat, { fits: (text: string) => boolean; message: string }>> = {
  uri: {
    fits: (text) => /^[a-z][a-z0-9+.-]*:[^\s]+$/i.test(text) && URL.canParse(text),
    message: 'Enter an address with its scheme, such as https://example.org.',
  },
  email: { fits: isEmail, message: 'Enter an e-mail address, such as ada@example.org.' },
  'date-time': {
    fits: isDateTime,
    message: 'Enter a time with its zone, such as 2026-01-31T08:00:00Z.',
  },
  date: { fits: isDate, message: 'Enter a date, such as 2026-01-31.' },
  uuid: {
    fits: (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
    message: 'Enter a UUID, such as 019a0000-0000-7000-8000-000000000001.',
  },
}

/** What is wrong with a text of this format, as a sentence; undefined where it fits or the format is not checked. */
export function formatProblem(format: string | undefined, text: string): string | undefined {
  const known = checkedFormats.find((each) => each === format)
  return known === undefined || formats[known].fits(text) ? undefined : formats[known].message
}

/** A day that exists, as RFC 3339 writes it. */
function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (day === undefined) return false
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}

/** A time with its zone, as RFC 3339 writes it. */
function isDateTime(text: string): boolean {
  const [, date = '', clock] =
    /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?)(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i.exec(
      text,
    ) ?? []
  return clock !== undefined && isDate(date)
}
