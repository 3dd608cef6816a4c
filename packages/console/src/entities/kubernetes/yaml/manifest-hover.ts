import { hoverTooltip } from '@codemirror/view'
import type { Extension } from '@codemirror/state'
import type { ClusterSchemas } from './cluster-schemas.ts'
import type { Schema, SchemaSet } from './open-api.ts'
import { schemaAt, typeText } from './open-api.ts'
import { topValue, yamlContext } from './yaml-context.ts'

/** What a field is, by the cluster's own schema: its path, type, default and description. */
export function manifestHover(schemas: ClusterSchemas): Extension {
  return hoverTooltip(async (view, at) => {
    const line = view.state.doc.lineAt(at)
    const found = /^\s*(?:-\s+)*(["']?[\w./-]+["']?)\s*:/.exec(line.text)
    if (!found?.[1]) return null
    const to = line.from + found[0].lastIndexOf(found[1]) + found[1].length
    const from = to - found[1].length
    if (at < from || at > to) return null
    const context = yamlContext(view.state.doc.toString(), to)
    const apiVersion = context && topValue(context.document, 'apiVersion')
    const kind = context && topValue(context.document, 'kind')
    if (!apiVersion || !kind) return null
    const set = await schemas.find(apiVersion)
    const path = [...context.parents, context.key]
    const schema = set && schemaAt(set, kind, path)
    if (!schema) return null
    return { pos: from, end: to, above: false, create: () => ({ dom: card(path, schema, set, apiVersion) }) }
  })
}

const maxDescription = 600

function card(
  path: readonly (string | number)[],
  schema: Schema,
  set: SchemaSet,
  apiVersion: string,
): HTMLElement {
  const name = path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[]` : text === '' ? step : `${text}.${step}`),
    '',
  )
  const isShown = schema.default !== undefined && JSON.stringify(schema.default) !== '{}'
  const description = schema.description ?? ''
  return element('div', 'grid gap-1.5 px-3 py-2 text-body', [
    element('p', 'flex flex-wrap items-center gap-2', [
      element('code', 'font-mono text-small break-all', [name]),
      element('span', 'rounded-badge border border-line px-1 text-small text-text-2', [
        typeText(set, schema),
      ]),
      ...(isShown
        ? [element('span', 'text-small text-text-3', [`default ${JSON.stringify(schema.default)}`])]
        : []),
    ]),
    ...(description
      ? [
          element('p', 'text-small text-text-2', [
            description.length > maxDescription ? `${description.slice(0, maxDescription)}…` : description,
          ]),
        ]
      : []),
    ...(schema.enum ? [element('p', 'text-small', [`One of ${schema.enum.map(String).join(', ')}`])] : []),
    element('p', 'flex justify-between gap-4 text-meta text-text-3', [
      element('span', '', [`schema of this cluster, ${apiVersion}`]),
      element('span', '', ['Ctrl Space completes']),
    ]),
  ])
}

export function element(
  tag: 'div' | 'p' | 'code' | 'span',
  className: string,
  children: readonly (Node | string)[],
): HTMLElement {
  const made = document.createElement(tag)
  made.className = className
  made.append(...children)
  return made
}
