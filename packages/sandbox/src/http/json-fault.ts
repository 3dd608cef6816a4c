/** What the JSON decoder of Go, in whose words an API server answers, says of text that is no JSON. */
export function jsonFault(text: string): string {
  const scanner = new Scanner(text)
  try {
    scanner.value('looking for beginning of value')
    scanner.space()
    if (!scanner.isOver) scanner.fail('after top-level value')
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
  return 'unexpected end of JSON input'
}

class Fault extends Error {}

function quoted(char: string): string {
  if (char === "'") return String.raw`'\''`
  if (char === '"') return `'"'`
  const code = char.codePointAt(0) ?? 0
  const byte = `\\x${code.toString(16).padStart(2, '0')}`
  const short: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' }
  return `'${short[char] ?? (code < 32 || code === 127 ? byte : char)}'`
}

class Scanner {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isOver(): boolean {
    return this.#at >= this.#text.length
  }

  space(): void {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? '.')) this.#at += 1
  }

  fail(where: string): never {
    if (this.isOver) throw new Fault('unexpected end of JSON input')
    const char = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0)
    throw new Fault(`invalid character ${quoted(char)} ${where}`)
  }

  value(where: string): void {
    this.space()
    const char = this.#text[this.#at] ?? ''
    if (char === '{') this.#object()
    else if (char === '[') this.#array()
    else if (char === '"') this.#string()
    else if (char === '-' || isDigit(char)) this.#number()
    else if (char !== '' && 'tfn'.includes(char))
      this.#word({ t: 'true', f: 'false', n: 'null' }[char] ?? char)
    else this.fail(where)
  }

  #is(char: string): boolean {
    this.space()
    if (this.#text[this.#at] !== char) return false
    this.#at += 1
    return true
  }

  #object(): void {
    this.#at += 1
    if (this.#is('}')) return
    do {
      this.space()
      if (this.#text[this.#at] !== '"') this.fail('looking for beginning of object key string')
      this.#string()
      if (!this.#is(':')) this.fail('after object key')
      this.value('looking for beginning of value')
    } while (this.#is(','))
    if (!this.#is('}')) this.fail('after object key:value pair')
  }

  #array(): void {
    this.#at += 1
    if (this.#is(']')) return
    do this.value('looking for beginning of value')
    while (this.#is(','))
    if (!this.#is(']')) this.fail('after array element')
  }

  #string(): void {
    for (this.#at += 1; !this.isOver; this.#at += 1) {
      const char = this.#text[this.#at] ?? ''
      if (char < ' ') this.fail('in string literal')
      if (char === '"') {
        this.#at += 1
        return
      }
      if (char !== '\\') continue
      this.#at += 1
      const escape = this.#text[this.#at] ?? ''
      if (escape === '' || !'bfnrt\\/"u'.includes(escape)) this.fail('in string escape code')
      if (escape !== 'u') continue
      for (let i = 0; i < 4; i += 1) {
        this.#at += 1
        if (!/^[\da-fA-F]$/.test(this.#text[this.#at] ?? ''))
          this.fail(String.raw`in \u hexadecimal character escape`)
      }
    }
    this.fail('in string literal')
  }

  #digits(where: string): void {
    if (!isDigit(this.#text[this.#at] ?? '')) this.fail(where)
    while (isDigit(this.#text[this.#at] ?? '')) this.#at += 1
  }

  #number(): void {
    if (this.#text[this.#at] === '-') this.#at += 1
    if (this.#text[this.#at] === '0') this.#at += 1
    else this.#digits('in numeric literal')
    if (this.#text[this.#at] === '.') {
      this.#at += 1
      this.#digits('after decimal point in numeric literal')
    }
    if (!/^[eE]$/.test(this.#text[this.#at] ?? '')) return
    this.#at += 1
    if (/^[+-]$/.test(this.#text[this.#at] ?? '')) this.#at += 1
    this.#digits('in exponent of numeric literal')
  }

  #word(word: string): void {
    for (let i = 0; i < word.length; i += 1) {
      const expected = word[i] ?? ''
      if (i > 0 && this.#text[this.#at] !== expected)
        this.fail(`in literal ${word} (expecting ${quoted(expected)})`)
      this.#at += 1
    }
  }
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9' && char.length === 1
}
