const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** "4 min", "7 h", "3 days". */
export function ageText(since: string, now: Date = new Date()): string {
  const ageMs = Math.max(0, now.getTime() - Date.parse(since))
  if (ageMs < minuteMs) return 'a moment'
  if (ageMs < 2 * hourMs) return `${Math.floor(ageMs / minuteMs)} min`
  if (ageMs < 2 * dayMs) return `${Math.floor(ageMs / hourMs)} h`
  return `${Math.floor(ageMs / dayMs)} days`
}
