import type { SqlRelation } from '@bey/contract'
import { useState } from 'react'
import { formatBytes, formatCount, formatNumber } from '../../../lib/format.ts'
import { Input } from '../../../ui/input.tsx'

interface RelationTreeProps {
  relations: readonly SqlRelation[]
  isTruncated: boolean
  /** Puts a name where the cursor is. */
  onInsert: (name: string) => void
}

/** Tables and views with their sizes and columns; a name goes into the statement by a click. */
export function RelationTree({ relations, isTruncated, onInsert }: RelationTreeProps) {
  const [filter, setFilter] = useState('')
  const wanted = filter.trim().toLowerCase()
  const found = relations.filter(
    ({ name, columns }) =>
      name.toLowerCase().includes(wanted) ||
      columns.some((column) => column.name.toLowerCase().includes(wanted)),
  )
  const schemas = [...new Set(found.map(({ schema }) => schema))]
  return (
    <div className="flex flex-col gap-2">
      <Input
        type="search"
        aria-label="Find a table or column"
        placeholder="Find a table or column"
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
      />
      {schemas.map((schema) => (
        <section key={schema} aria-label={`Schema ${schema}`}>
          <h2 className="py-1 font-medium">{schema}</h2>
          <ul>
            {found
              .filter((relation) => relation.schema === schema)
              .map((relation) => (
                <Relation key={relation.name} relation={relation} onInsert={onInsert} />
              ))}
          </ul>
        </section>
      ))}
      {found.length === 0 ? (
        <p className="text-small text-text-2">
          {relations.length === 0 ? 'No tables yet.' : `No table or column matches “${filter.trim()}”.`}
        </p>
      ) : null}
      {isTruncated ? (
        <p className="text-small text-text-2">
          Only the {formatCount(relations.length, 'largest table', 'largest tables')} are listed.
        </p>
      ) : null}
    </div>
  )
}

function Relation({ relation, onInsert }: { relation: SqlRelation; onInsert: (name: string) => void }) {
  const { name, kind, sizeBytes, rows, columns } = relation
  const size = sizeBytes === null ? kind : formatBytes(sizeBytes)
  return (
    <li>
      <details className="group">
        <summary
          className="flex cursor-pointer items-baseline justify-between gap-2 rounded-badge py-0.5 hover:bg-hover"
          title={rows === null ? undefined : `about ${formatNumber(Math.round(rows))} rows`}
        >
          <span className="truncate">{name}</span>
          <span className="shrink-0 text-small text-text-3 tabular-nums">{size}</span>
        </summary>
        <ul className="pb-1 pl-4">
          <li>
            <Insert
              name={quoted(relation)}
              onInsert={onInsert}
              label={`Insert ${name}`}
              text={name}
              detail={kind}
            />
          </li>
          {columns.map((column) => (
            <li key={column.name}>
              <Insert
                name={identifier(column.name)}
                onInsert={onInsert}
                label={`Insert ${column.name}`}
                text={column.name}
                detail={column.isNullable ? `${column.type}, null` : column.type}
              />
            </li>
          ))}
        </ul>
      </details>
    </li>
  )
}

interface InsertProps {
  name: string
  text: string
  detail: string
  label: string
  onInsert: (name: string) => void
}

function Insert({ name, text, detail, label, onInsert }: InsertProps) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={() => onInsert(name)}
      className="flex w-full items-baseline justify-between gap-2 rounded-badge py-0.5 text-left text-small hover:bg-hover"
    >
      <span className="truncate font-mono">{text}</span>
      <span className="max-w-[60%] shrink-0 truncate text-text-3">{detail}</span>
    </button>
  )
}

/** A name as SQL takes it: quoted where it has to be. */
function identifier(name: string): string {
  return /^[a-z_][a-z0-9_$]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`
}

function quoted({ schema, name }: SqlRelation): string {
  return schema === 'public' ? identifier(name) : `${identifier(schema)}.${identifier(name)}`
}
