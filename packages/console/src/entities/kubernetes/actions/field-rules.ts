/** What is wrong with a number of pods. */
export function replicasProblem(value: string, min: number, max: number): string | undefined {
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= min && number <= max) return undefined
  return `Enter a whole number from ${min} to ${max}.`
}

/** What is wrong with the name of an image: the registry alone knows whether it exists. */
export function imageProblem(value: string): string | undefined {
  const image = value.trim()
  if (image === '') return 'Enter an image, e.g. registry.example.com/app:1.2.3.'
  if (image.length > 1024 || !/^[\w][\w.\-/:@]*$/.test(image) || /[:@]$|\/\/|[A-Z].*\//.test(image))
    return 'This is not the name of an image. Write registry/name:tag, the name in lower case.'
  return undefined
}

/** What is wrong with the name of a new object (RFC 1123 label, at most `max` characters). */
export function nameProblem(value: string, max = 63): string | undefined {
  if (value.length <= max && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(value)) return undefined
  return `Use at most ${max} lower-case letters, digits and hyphens; begin and end with a letter or digit.`
}

/** Bytes of a Kubernetes quantity such as `10Gi`, `1.5T` or `1e9`; undefined where it is none. */
export function quantityBytes(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(Ki|Mi|Gi|Ti|Pi|Ei|k|M|G|T|P|E|e\d+)?$/.exec(text.trim())
  if (!match) return undefined
  const [, digits = '', unit = ''] = match
  const scale = unit.startsWith('e') ? 10 ** Number(unit.slice(1)) : (units[unit] ?? 1)
  return Number(digits) * scale
}

const units: Readonly<Record<string, number>> = {
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
}
