/** A moment as a field of date and time holds it, to the second, in the time zone of the browser. */
export function localFields(atMs: number): string {
  const at = new Date(atMs)
  const two = (value: number) => String(value).padStart(2, '0')
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

/** The time zone in which such a field is read. */
export const zoneText = () => Intl.DateTimeFormat().resolvedOptions().timeZone
