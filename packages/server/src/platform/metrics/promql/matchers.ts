import { RE2JS } from 're2js'

import type { Matcher } from './ast.ts'

/** A test of a label's value. Throws where the regular expression is not one of RE2. */
export function compileMatcher({ operator, value }: Matcher): (labelValue: string) => boolean {
  switch (operator) {
    case '=':
      return (given) => given === value
    case '!=':
      return (given) => given !== value
    default: {
      // Values repeat over thousands of series; the expression runs once for each.
      const known = new Map<string, boolean>()
      const pattern = RE2JS.compile(value, RE2JS.DOTALL)
      const isWanted = operator === '=~'
      return (given) => {
        let found = known.get(given)
        if (found === undefined) known.set(given, (found = pattern.matches(given)))
        return found === isWanted
      }
    }
  }
}
