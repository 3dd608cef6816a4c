import type { SqlRelation } from '@bey/contract'
import { useState } from 'react'
import { formatBytes, formatCount, formatNumber } from '../../../lib/format.ts'
import { cx } from '../../../ui/class-names.ts'
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
          <h2 className="flex items-baseline justify-between gap-2 py-1 font-medium">
            <span className="truncate">{schema}</span>
            <span className="text-small font-normal text-text-3 tabular-nums">
              {formatNumber(relations.filter((relation) => relation.schema === schema).length)}
            </span>
          </h2>
          <ul>
            {found
              .filter((relation) => relation.schema === schema)
              .map((relation) => (
                <Relation key={relation.name} relation={relation} wanted={wanted} onInsert={onInsert} />
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

interface RelationProps {
  relation: SqlRelation
  /** What is looked for, in lower case: a column of it opens its table. */
  wanted: string
  onInsert: (name: string) => void
}

function Relation({ relation, wanted, onInsert }: RelationProps) {
  const { name, kind, sizeBytes, rows, columns } = relation
  const isByColumn = wanted !== '' && columns.some((column) => isNamed(column.name, wanted))
  // Drawn once it is open: a database may have tens of thousands of columns.
  const [isOpen, setOpen] = useState(false)
  const size = sizeBytes === null ? kind : formatBytes(sizeBytes)
  return (
    <li>
      <details
        className="group"
        open={isOpen || isByColumn}
        onToggle={(event) => {
          if (!isByColumn) setOpen(event.currentTarget.open)
        }}
      >
        <summary
          className="flex cursor-pointer items-baseline justify-between gap-2 rounded-badge py-0.5 hover:bg-hover"
          title={rows === null ? undefined : `about ${formatNumber(Math.round(rows))} rows`}
        >
          <span className="truncate" title={name.length > 20 ? name : undefined}>
            {name}
          </span>
          <span className="shrink-0 text-small text-text-3 tabular-nums">{size}</span>
        </summary>
        <ul className="pb-1 pl-4" hidden={!isOpen && !isByColumn}>
          <li>
            <Insert name={quoted(relation)} onInsert={onInsert} text={name} detail={kind} />
          </li>
          {(isOpen || isByColumn ? columns : []).map((column) => (
            <li
              key={column.name}
              className={cx(isByColumn && isNamed(column.name, wanted) && 'font-medium text-accent-text')}
            >
              <Insert
                name={identifier(column.name)}
                onInsert={onInsert}
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
  onInsert: (name: string) => void
}

function Insert({ name, text, detail, onInsert }: InsertProps) {
  return (
    <button
      type="button"
      onClick={() => onInsert(name)}
      className="flex w-full items-baseline justify-between gap-2 rounded-badge py-0.5 text-left text-small hover:bg-hover"
    >
      <span className="sr-only">Insert </span>
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

const isNamed = (name: string, wanted: string) => name.toLowerCase().includes(wanted)
