const factors: Record<string, number> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}
const pattern = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d{1,3}))?$/

/** The value of a Kubernetes quantity in its base unit (cores, bytes, pieces), or undefined when it is not one. */
export function parseQuantity(text: string | number | undefined): number | undefined {
  if (typeof text === 'number') return text
  const match = text === undefined ? null : pattern.exec(text)
  if (!match) return undefined
  return Number(match[1]) * (match[3] === undefined ? (factors[match[2] ?? ''] ?? 1) : 10 ** Number(match[3]))
}

/** The value of a quantity that has been validated before; 0 when absent. */
export function quantity(text: string | number | undefined): number {
  return parseQuantity(text) ?? 0
}

/** Cores as Kubernetes writes them: `2`, `250m`. */
export function formatCpu(cores: number): string {
  const milli = Math.round(cores * 1000)
  return milli % 1000 === 0 ? String(milli / 1000) : `${milli}m`
}

/** Bytes with the largest binary suffix that divides them: `128Mi`, `1500`. */
export function formatBytes(bytes: number): string {
  const whole = Math.round(bytes)
  for (const unit of ['Ti', 'Gi', 'Mi', 'Ki']) {
    const factor = factors[unit] ?? 1
    if (whole !== 0 && whole % factor === 0) return `${whole / factor}${unit}`
  }
  return String(whole)
}

/** A sum of quantities of one resource in the form that its name calls for. */
export function formatQuantity(resource: string, value: number): string {
  if (/(^|\.)cpu$/.test(resource)) return formatCpu(value)
  if (/memory|storage/.test(resource)) return formatBytes(value)
  return String(Math.round(value * 1000) / 1000)
}
