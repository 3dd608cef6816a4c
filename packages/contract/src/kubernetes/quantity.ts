const suffixes: Record<string, number> = {
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

/** A Kubernetes quantity (`100m`, `1.5Gi`, `2e3`) as a number; 0 for what is none. */
export function quantity(text: string | number | undefined): number {
  if (typeof text === 'number') return text
  const match = /^([+-]?\d*\.?\d+(?:[eE][+-]?\d+)?|[+-]?\d+\.)(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$/.exec(
    text ?? '',
  )
  if (!match) return 0
  return Number(match[1]) * (suffixes[match[2] ?? ''] ?? 1)
}

/** CPU in thousandths of a core, rounded up as the scheduler does. */
export const millicores = (text: string | number | undefined): number =>
  Math.ceil(quantity(text) * 1000 - 1e-6)

export const bytes = (text: string | number | undefined): number => Math.ceil(quantity(text))
