import type { SyntaxNode } from '@lezer/common'

import type { Matcher } from './ast.ts'
import { readString } from './literals.ts'
import { compileMatcher } from './matchers.ts'
import { refuse } from './refuse.ts'

const operators = ['=~', '!~', '!=', '='] as const

/** The matchers of a selector, its name among them. Throws AppError `invalid_request` where it would select everything. */
export function readMatchers(text: string, node: SyntaxNode): Matcher[] {
  const matchers: Matcher[] = []
  const name = node.getChild('Identifier')
  if (name) matchers.push({ label: '__name__', operator: '=', value: text.slice(name.from, name.to) })
  for (let child = node.getChild('LabelMatchers')?.firstChild; child; child = child.nextSibling) {
    if (child.name === 'QuotedLabelName') {
      matchers.push({ label: '__name__', operator: '=', value: readString(text, stringOf(text, child)) })
      continue
    }
    if (child.name !== 'UnquotedLabelMatcher' && child.name !== 'QuotedLabelMatcher') continue
    matchers.push(readMatcher(text, child))
  }
  // Prometheus refuses it as well: such a selector would read the whole store.
  if (matchers.every((matcher) => compileMatcher(matcher)(''))) {
    refuse(text, node, 'This selects every series. Name a metric, or a label with a value that is not empty.')
  }
  return matchers
}

function readMatcher(text: string, node: SyntaxNode): Matcher {
  const unquoted = node.getChild('LabelName')
  const quoted = node.getChild('QuotedLabelName')
  const value = node.getChild('StringLiteral')
  const written = node.getChild('MatchOp')
  const operator = operators.find((each) => written && each === text.slice(written.from, written.to))
  const label = unquoted
    ? text.slice(unquoted.from, unquoted.to)
    : quoted && readString(text, stringOf(text, quoted))
  if (label == null || !value || operator === undefined)
    return refuse(text, node, 'This filter is incomplete.')
  const matcher = { label, operator, value: readString(text, value) }
  try {
    compileMatcher(matcher)
  } catch {
    refuse(
      text,
      value,
      `${JSON.stringify(matcher.value.slice(0, 40))} is no regular expression that RE2 reads.`,
    )
  }
  return matcher
}

function stringOf(text: string, node: SyntaxNode): SyntaxNode {
  return node.getChild('StringLiteral') ?? refuse(text, node, 'A name in quotes was expected here.')
}
