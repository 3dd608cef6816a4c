import type { ASTNode, ParseError, TypeError } from '@marcbachmann/cel-js'

/** The tokens at which an expression can begin, in the order in which Kubernetes lists them. */
const beginnings =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"
const tokens: Record<string, string> = {
  LPAREN: '(',
  RPAREN: ')',
  LBRACKET: '[',
  RBRACKET: ']',
  LBRACE: '{',
  RBRACE: '}',
  COLON: ':',
  COMMA: ',',
}

/** A message with the place that it is about, as the compiler of Kubernetes shows it. `at` is counted from 0. */
function placed(expression: string, at: number, message: string): string {
  const before = expression.slice(0, at).split('\n')
  const line = before.length
  const column = before.at(-1)?.length ?? 0
  const source = expression.split('\n')[line - 1] ?? ''
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${source}\n | ${'.'.repeat(column)}^`
}

/** The message for an expression that does not parse. */
export function syntaxWords(expression: string, error: ParseError): string {
  const { start = 0, end = start + 1 } = error.range ?? {}
  const found = start >= expression.length ? '<EOF>' : expression.slice(start, Math.max(end, start + 1))
  const said = (text: string) => placed(expression, start, `Syntax error: ${text}`)
  const [, wanted = '', got = ''] = /^Expected (\w+), got (\w+)/.exec(error.summary) ?? []
  switch (error.code) {
    case 'unexpected_token':
      return said(`mismatched input '${found}' expecting ${beginnings}`)
    case 'unexpected_character':
    case 'unterminated_string':
      return said(`token recognition error at: '${found}'`)
    case 'reserved_identifier':
      return placed(expression, start, `reserved identifier: ${found}`)
    case 'expected_token':
      if (got !== 'EOF' && wanted !== 'EOF' && !tokens[wanted]) return said(`extraneous input '${found}'`)
      return said(`missing '${tokens[wanted] ?? wanted}' at '${found}'`)
    default:
      return said(error.summary)
  }
}

/** `map<string, list<int>>` → `map(string, list(int))`; types that represent objects of a schema are objects. */
function typeWords(type: string): string {
  return type
    .replaceAll(/\bObject\d+\b/g, 'object')
    .replaceAll('<', '(')
    .replaceAll('>', ')')
    .replaceAll(/\bnull\b(?!_)/g, 'null_type')
}

/** Where the compiler points to: the operator, the dot or the parenthesis rather than the start. */
function pointOf(expression: string, node: ASTNode): number {
  const after = (inner: ASTNode, mark: string) => {
    const at = expression.indexOf(mark, inner.range.end)
    return at < 0 ? node.range.start : at
  }
  switch (node.op) {
    case '.':
    case '.?':
      return after(node.args[0], '.')
    case '[]':
    case '[?]':
      return after(node.args[0], '[')
    case 'call':
      return expression.indexOf('(', node.range.start)
    case 'rcall':
      return after(node.args[1], '(')
    case '?:':
      return after(node.args[0], '?')
    case '==':
    case '!=':
    case 'in':
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case '||':
    case '&&':
      return after(node.args[0], node.op)
    default:
      return node.range.start
  }
}

function overloadWords(summary: string): string {
  const [, left = '', operator = '', right = ''] =
    /^no such overload: (.+) (==|!=|<=|>=|<|>|\+|-|\*|\/|%|in) (.+)$/.exec(summary) ?? []
  const said = (name: string, applied: string) =>
    `found no matching overload for '${name}' applied to '${applied}'`
  if (operator !== '')
    return said(operator === 'in' ? '@in' : `_${operator}_`, `(${typeWords(left)}, ${typeWords(right)})`)
  const [, sign = '', operand = ''] = /^no such overload: ([!-])(.+)$/.exec(summary) ?? []
  return sign === '' ? summary : said(`${sign}_`, `(${typeWords(operand)})`)
}

/** The message for an expression whose types do not fit. `isFunction` knows the names that can be called. */
export function typeWordsOf(
  expression: string,
  error: TypeError,
  isFunction: (name: string) => boolean,
): string {
  const { node, summary } = error
  // Errors of the checker carry a node of the expression; others carry a bare place.
  const known = node && 'args' in node && 'op' in node ? node : undefined
  const at = known ? pointOf(expression, known) : (error.range?.start ?? 0)
  const said = (text: string) => placed(expression, at, text)
  switch (error.code) {
    case 'unknown_variable':
      return said(`undeclared reference to '${summary.replace('Unknown variable: ', '')}' (in container '')`)
    case 'no_such_key':
      return said(`undefined field '${summary.replace('No such key: ', '')}'`)
    case 'no_such_overload':
      return said(overloadWords(summary))
    case 'no_matching_overload': {
      const [, receiver, name = '', list = ''] =
        /^found no matching overload for '(?:(.+)\.)?(\w+)\((.*)\)'$/s.exec(summary) ?? []
      if (!isFunction(name)) return said(`undeclared reference to '${name}' (in container '')`)
      const applied = `${receiver === undefined ? '' : `${typeWords(receiver)}.`}(${typeWords(list)})`
      return said(`found no matching overload for '${name}' applied to '${applied}'`)
    }
    case 'cannot_index_type':
      return said(
        `type '${typeWords(/'(.+)'/.exec(summary)?.[1] ?? 'dyn')}' does not support field selection`,
      )
    case 'invalid_logical_operand':
    case 'invalid_condition_type':
      return said(`expected type 'bool' but found '${typeWords(/'([^']+)'$/.exec(summary)?.[1] ?? 'dyn')}'`)
    case 'incompatible_ternary_branches': {
      const [, left = '', right = ''] = /got '(.+)' and '(.+)'$/.exec(summary) ?? []
      const applied = `(bool, ${typeWords(left)}, ${typeWords(right)})`
      return said(`found no matching overload for '_?_:_' applied to '${applied}'`)
    }
    case 'invalid_macro_argument':
      return said('invalid argument to has() macro')
    default:
      return said(summary)
  }
}
