const maxChars = 4_000

/** A statement without the passwords that it sets. */
export function withoutPasswords(statement: string): string {
  return statement.replaceAll(
    /\b(password|identified by|secret|token|api_?key)(\s*(?:=|:=|=>|to)?\s*)(e?'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\4\$)/gi,
    "$1$2'***'",
  )
}

/** A statement for the audit trail: without passwords that it sets, and not longer than a page. */
export function auditedStatement(statement: string): string {
  const masked = withoutPasswords(statement)
  const chars = Array.from(masked)
  return chars.length <= maxChars
    ? masked
    : `${chars.slice(0, maxChars).join('')} … (${chars.length - maxChars} characters left out)`
}
