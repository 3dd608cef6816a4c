import type { Environment } from '@marcbachmann/cel-js'

const one = 10n ** 9n
const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d{1,3}))?$/
const decimal = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const [smallest, largest] = [-(2n ** 63n), 2n ** 63n - 1n]

/** An amount such as `512Mi`, exact to the billionth, which is as exact as Kubernetes is. */
class Quantity {
  readonly nanos: bigint

  constructor(nanos: bigint) {
    this.nanos = nanos
  }

  get isInteger(): boolean {
    const whole = this.nanos / one
    return this.nanos % one === 0n && whole >= smallest && whole <= largest
  }
}

function factorOf(suffix: string, exponent: string | undefined): [times: bigint, over: bigint] {
  if (exponent !== undefined) {
    const power = 9 + Number(exponent)
    return power >= 0 ? [10n ** BigInt(power), 1n] : [1n, 10n ** BigInt(-power)]
  }
  const step = binary.indexOf(suffix)
  if (step > 0) return [one * 1024n ** BigInt(step), 1n]
  return [1000n ** BigInt(decimal.indexOf(suffix)), 1n]
}

function parse(text: string): Quantity | undefined {
  const match = pattern.exec(text)
  const [, sign, whole = '', fraction = '', suffix = '', exponent] = match ?? []
  if (!match || whole + fraction === '') return undefined
  const [times, over] = factorOf(suffix, exponent)
  const below = over * 10n ** BigInt(fraction.length)
  // What is finer than a billionth counts as one.
  const nanos = (BigInt(whole + fraction) * times + below - 1n) / below
  return new Quantity(sign === '-' ? -nanos : nanos)
}

function quantity(text: string): Quantity {
  const found = parse(text)
  if (!found) {
    throw new Error(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    )
  }
  return found
}

function asInteger(amount: Quantity): bigint {
  if (!amount.isInteger) throw new Error('cannot convert value to integer')
  return amount.nanos / one
}

const sign = (value: bigint) => (value > 0n ? 1n : value < 0n ? -1n : 0n)

/** The functions for quantities of Kubernetes' expressions. */
export function addQuantityLibrary(environment: Environment): Environment {
  const plus = (a: Quantity, nanos: bigint) => new Quantity(a.nanos + nanos)
  return environment
    .registerType('Quantity', { ctor: Quantity, fields: {} })
    .registerFunction('isQuantity(string): bool', (text: string) => parse(text) !== undefined)
    .registerFunction('quantity(string): Quantity', quantity)
    .registerOperator('Quantity == Quantity', (a: Quantity, b: Quantity) => a.nanos === b.nanos)
    .registerFunction('Quantity.isInteger(): bool', (a: Quantity) => a.isInteger)
    .registerFunction('Quantity.asInteger(): int', asInteger)
    .registerFunction('Quantity.asApproximateFloat(): double', (a: Quantity) => Number(a.nanos) / Number(one))
    .registerFunction('Quantity.sign(): int', (a: Quantity) => sign(a.nanos))
    .registerFunction('Quantity.add(Quantity): Quantity', (a: Quantity, b: Quantity) => plus(a, b.nanos))
    .registerFunction('Quantity.add(int): Quantity', (a: Quantity, b: bigint) => plus(a, b * one))
    .registerFunction('Quantity.sub(Quantity): Quantity', (a: Quantity, b: Quantity) => plus(a, -b.nanos))
    .registerFunction('Quantity.sub(int): Quantity', (a: Quantity, b: bigint) => plus(a, -b * one))
    .registerFunction(
      'Quantity.isGreaterThan(Quantity): bool',
      (a: Quantity, b: Quantity) => a.nanos > b.nanos,
    )
    .registerFunction('Quantity.isLessThan(Quantity): bool', (a: Quantity, b: Quantity) => a.nanos < b.nanos)
    .registerFunction('Quantity.compareTo(Quantity): int', (a: Quantity, b: Quantity) =>
      sign(a.nanos - b.nanos),
    )
}
