/** JSON values as YAML 1.2. Texts that YAML could read as something else are quoted as JSON, which is YAML. */
export function yamlOf(value: unknown): string {
  return `${lines(value).join('\n')}\n`
}

function lines(value: unknown): string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return ['[]']
    return value.flatMap((item) => nested(item, '- ', '  '))
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined)
    if (entries.length === 0) return ['{}']
    return entries.flatMap(([key, item]) => {
      const isBlock = typeof item === 'object' && item !== null && Object.keys(item).length > 0
      if (!isBlock) return [`${text(key)}: ${lines(item)[0] ?? 'null'}`]
      return [`${text(key)}:`, ...lines(item).map((line) => `  ${line}`)]
    })
  }
  return [typeof value === 'string' ? text(value) : JSON.stringify(value ?? null)]
}

function nested(item: unknown, first: string, rest: string): string[] {
  return lines(item).map((line, index) => `${index === 0 ? first : rest}${line}`)
}

function text(value: string): string {
  const isPlain = /^[A-Za-z_/][\w./@+-]*( [\w./@+-]+)*$/.test(value)
  const isWord = /^(true|false|null|yes|no|on|off|y|n)$/i.test(value)
  return isPlain && !isWord ? value : JSON.stringify(value)
}
