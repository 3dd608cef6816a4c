const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** Shown where there is no value. */
export const absent = '—'

/** "10,000"; not a number is "—". */
export function formatNumber(value: number | null | undefined): string {
  return value == null || !Number.isFinite(value) ? absent : decimal(value, 3)
}

/** "1 node", "3 nodes", "1,204 pods". */
export function formatCount(count: number, one: string, many: string = `${one}s`): string {
  return `${decimal(count, 3)} ${count === 1 ? one : many}`
}

/** "1 line added, 3 removed". */
export function formatChangedLines({ added, removed }: { added: number; removed: number }): string {
  return `${formatCount(added, 'line')} added, ${formatNumber(removed)} removed`
}

/** Bytes in binary units: "512 B", "16 GiB", "1.5 TiB". */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes == null || !Number.isFinite(bytes)) return absent
  let value = Math.abs(bytes)
  let unit = 0
  while (value >= 1024 && unit < byteUnits.length - 1) {
    value /= 1024
    unit += 1
  }
  // 1023.96 would round up to "1,024 MiB".
  if (value >= 1023.95 && unit < byteUnits.length - 1) {
    value /= 1024
    unit += 1
  }
  const text = value >= 100 || unit === 0 ? decimal(value, 0) : decimal(value, 1)
  return `${bytes < 0 ? '−' : ''}${text} ${byteUnits[unit]}`
}

/** Thousandths of a core: "250m" below one, "1.5 cores" from there. */
export function formatCpu(millicores: number | null | undefined): string {
  if (millicores == null || !Number.isFinite(millicores)) return absent
  if (millicores !== 0 && millicores < 1000) return `${decimal(millicores, 0)}m`
  const cores = millicores / 1000
  return `${cores >= 100 ? decimal(cores, 0) : decimal(cores, 1)} ${cores === 1 ? 'core' : 'cores'}`
}

/** A length of time: "340 ms", "22 s", "1 min 12 s", "3 h 05 min", "12 d 4 h". */
export function formatDuration(durationMs: number | null | undefined): string {
  if (durationMs == null || !Number.isFinite(durationMs)) return absent
  if (durationMs < 1000) return `${Math.max(0, Math.round(durationMs))} ms`
  const seconds = Math.floor(durationMs / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const pad = (value: number) => String(value).padStart(2, '0')
  if (minutes === 0) return `${seconds} s`
  if (hours === 0) return `${minutes} min ${pad(seconds % 60)} s`
  if (hours < 24) return `${hours} h ${pad(minutes % 60)} min`
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** The time from `start` to `end` (default: `now`) as a duration; "—" before it started. */
export function formatElapsed(start: string | null, end: string | null, now: number): string {
  if (!start) return absent
  return formatDuration((end ? Date.parse(end) : now) - Date.parse(start))
}

/** A share of 0–1: "98.2%". */
export function formatPercent(share: number | null | undefined): string {
  return share == null || !Number.isFinite(share) ? absent : `${decimal(share * 100, 1)}%`
}

/** As Intl.NumberFormat('en') writes it, the making of which would hold up the first page. */
function decimal(value: number, maxDigits: number): string {
  const [whole = '', fraction] = String(Number(value.toFixed(maxDigits))).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction ? `${grouped}.${fraction}` : grouped
}
