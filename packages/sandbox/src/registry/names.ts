import { field, type Cause } from '../status-error.ts'

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const label1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const qualifiedName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/

const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const label1035Text =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const qualifiedText =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const valueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

export type NameRule = 'subdomain' | 'label' | 'label1035' | 'path'

/** What is wrong with a name at `path`, in the words of the API server. */
export function checkName(name: string, rule: NameRule, path = 'metadata.name'): Cause[] {
  if (rule === 'path') {
    if (name === '.' || name === '..') return [field.invalid(path, name, `may not be '${name}'`)]
    const bad = ['/', '%'].find((mark) => name.includes(mark))
    return bad ? [field.invalid(path, name, `may not contain '${bad}'`)] : []
  }
  const [pattern, text, longest] = {
    subdomain: [subdomain, subdomainText, 253] as const,
    label: [label, labelText, 63] as const,
    label1035: [label1035, label1035Text, 63] as const,
  }[rule]
  const causes: Cause[] = []
  if (name.length > longest)
    causes.push(field.invalid(path, name, `must be no more than ${longest} characters`))
  if (!pattern.test(name)) causes.push(field.invalid(path, name, text))
  return causes
}

/** What is wrong with a name that may have a domain in front: `example.com/name`. */
export function checkKey(key: string, path: string): Cause[] {
  const parts = key.split('/')
  const name = parts.at(-1) ?? ''
  const causes: Cause[] = []
  if (parts.length > 2) {
    return [
      field.invalid(
        path,
        key,
        `a qualified name ${qualifiedText} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      ),
    ]
  }
  if (parts.length === 2) {
    const prefix = parts[0] ?? ''
    if (prefix === '') causes.push(field.invalid(path, key, 'prefix part must be non-empty'))
    else if (!subdomain.test(prefix)) causes.push(field.invalid(path, key, `prefix part ${subdomainText}`))
  }
  if (name === '') causes.push(field.invalid(path, key, 'name part must be non-empty'))
  else if (name.length > 63)
    causes.push(field.invalid(path, key, 'name part must be no more than 63 characters'))
  if (!qualifiedName.test(name)) causes.push(field.invalid(path, key, `name part ${qualifiedText}`))
  return causes
}

export function checkLabels(labels: Record<string, string> | undefined, path: string): Cause[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => {
    const causes = checkKey(key, path)
    if (value.length > 63) causes.push(field.invalid(path, value, 'must be no more than 63 characters'))
    if (!labelValue.test(value)) causes.push(field.invalid(path, value, valueText))
    return causes
  })
}

const annotationsBytes = 256 * 1024

export function checkAnnotations(annotations: Record<string, string> | undefined, path: string): Cause[] {
  const causes = Object.keys(annotations ?? {}).flatMap((key) => checkKey(key.toLowerCase(), path))
  let bytes = 0
  for (const [key, value] of Object.entries(annotations ?? {})) bytes += key.length + value.length
  if (bytes > annotationsBytes) {
    const message = `Too long: may not be more than ${annotationsBytes} bytes`
    causes.push({ reason: 'FieldValueTooLong', message, field: path })
  }
  return causes
}
