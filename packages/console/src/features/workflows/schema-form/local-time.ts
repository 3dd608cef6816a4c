/** A time with its zone as a field of the browser shows it, in the browser's zone; empty where it is no time. */
export function localText(time: string): string {
  const date = new Date(time)
  if (time === '' || Number.isNaN(date.getTime())) return ''
  const pad = (part: number) => String(part).padStart(2, '0')
  const day = [String(date.getFullYear()).padStart(4, '0'), pad(date.getMonth() + 1), pad(date.getDate())]
  const clock = [pad(date.getHours()), pad(date.getMinutes())]
  const seconds = date.getSeconds()
  return `${day.join('-')}T${[...clock, ...(seconds === 0 ? [] : [pad(seconds)])].join(':')}`
}

/** What was entered in such a field, in UTC. */
export function timeOfLocal(text: string): string | undefined {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
