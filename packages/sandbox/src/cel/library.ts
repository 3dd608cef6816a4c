import type { Environment, Optional } from '@marcbachmann/cel-js'
import { addAuthorizerLibrary } from './authorizer-library.ts'
import { compilePattern } from '../re2.ts'
import { addFormatLibrary } from './format-library.ts'
import { addIpLibrary } from './ip-library.ts'
import { addQuantityLibrary } from './quantity-library.ts'
import { addTextLibrary } from './text-library.ts'
import { addUrlLibrary } from './url-library.ts'

/** Stands in for the library's own `matches`, whose patterns can take for ever and which cannot be replaced. */
export const linearMatches = 'matchesRe2'

type Comparable = bigint | number | string

function extreme(
  list: readonly Comparable[],
  isBetter: (a: Comparable, b: Comparable) => boolean,
): Comparable {
  const [first, ...rest] = list
  if (first === undefined) throw new Error('min called on empty list')
  return rest.reduce((best, one) => (isBetter(one, best) ? one : best), first)
}

function sum(list: readonly (bigint | number)[]): bigint | number {
  if (list.every((one) => typeof one === 'bigint')) return list.reduce((total, one) => total + one, 0n)
  return list.reduce<number>((total, one) => total + Number(one), 0)
}

function isSorted(list: readonly Comparable[]): boolean {
  return list.every((one, i) => i === 0 || (list[i - 1] ?? one) <= one)
}

/** Adds the functions that Kubernetes gives its expressions beyond the language's own. */
export function addLibrary(environment: Environment, optional: typeof Optional): Environment {
  const add = [
    addListsAndPatterns,
    addTextLibrary,
    addQuantityLibrary,
    addIpLibrary,
    addUrlLibrary,
    addAuthorizerLibrary,
  ]
  for (const one of add) one(environment)
  return addFormatLibrary(environment, optional)
}

function addListsAndPatterns(environment: Environment): Environment {
  return environment
    .registerFunction('list.isSorted(): bool', isSorted)
    .registerFunction('list.sum(): dyn', sum)
    .registerFunction('list.min(): dyn', (list: Comparable[]) => extreme(list, (a, b) => a < b))
    .registerFunction('list.max(): dyn', (list: Comparable[]) => extreme(list, (a, b) => a > b))
    .registerFunction('list.indexOf(dyn): int', (list: unknown[], item: unknown) =>
      BigInt(list.indexOf(item)),
    )
    .registerFunction('list.lastIndexOf(dyn): int', (list: unknown[], item: unknown) =>
      BigInt(list.lastIndexOf(item)),
    )
    .registerFunction(
      'string.find(string): string',
      (text: string, pattern: string) => compilePattern(pattern).findAll(text, 1)[0] ?? '',
    )
    .registerFunction('string.findAll(string): list', (text: string, pattern: string) =>
      compilePattern(pattern).findAll(text),
    )
    .registerFunction(`string.${linearMatches}(string): bool`, (text: string, pattern: string) =>
      compilePattern(pattern).test(text),
    )
}
