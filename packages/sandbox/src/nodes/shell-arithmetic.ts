const levels = [['||'], ['&&'], ['==', '!='], ['<=', '>=', '<', '>'], ['+', '-'], ['*', '/', '%']]
const deepest = 64

const operations: Record<string, (a: number, b: number) => number> = {
  '||': (a, b) => Number(a !== 0 || b !== 0),
  '&&': (a, b) => Number(a !== 0 && b !== 0),
  '==': (a, b) => Number(a === b),
  '!=': (a, b) => Number(a !== b),
  '<=': (a, b) => Number(a <= b),
  '>=': (a, b) => Number(a >= b),
  '<': (a, b) => Number(a < b),
  '>': (a, b) => Number(a > b),
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => Math.trunc(a / b),
  '%': (a, b) => a % b,
}

/** What is between `$((` and `))` comes to, in whole numbers. Throws with the sentence of a shell. */
export function arithmetic(text: string, valueOf: (name: string) => string): number {
  const tokens = text.match(/\d+|[A-Za-z_]\w*|\|\||&&|[=!<>]=|\S/g) ?? []
  let at = 0
  let depth = 0

  function factor(): number {
    const token = tokens[at++] ?? ''
    if (++depth > deepest) throw new Error('arithmetic syntax error')
    let value: number
    if (/^\d+$/.test(token)) value = Number(token)
    else if (/^\w+$/.test(token)) value = Math.trunc(Number(valueOf(token))) || 0
    else if (token === '-') value = -factor()
    else if (token === '+') value = factor()
    else if (token === '!') value = Number(factor() === 0)
    else if (token === '(') {
      value = level(0)
      if (tokens[at++] !== ')') throw new Error('arithmetic syntax error')
    } else throw new Error('arithmetic syntax error')
    depth -= 1
    return value
  }

  function level(index: number): number {
    const signs = levels[index]
    if (!signs) return factor()
    let value = level(index + 1)
    for (;;) {
      const sign = tokens[at] ?? ''
      if (!signs.includes(sign)) return value
      at += 1
      const right = level(index + 1)
      if (right === 0 && (sign === '/' || sign === '%')) throw new Error('divide by zero')
      value = operations[sign]?.(value, right) ?? value
    }
  }

  if (tokens.length === 0) return 0
  const value = level(0)
  if (at < tokens.length) throw new Error('arithmetic syntax error')
  // Never -0, which prints like it.
  return value + 0
}
