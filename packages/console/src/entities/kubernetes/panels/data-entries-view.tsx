import { Download } from 'lucide-react'
import { downloadText } from '../../../lib/download.ts'
import { formatBytes } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Section } from '../../../ui/section.tsx'
import type { DataEntry } from './data-entries.ts'
import { shownTextLength } from './data-entries.ts'

/** The keys of a config map with their texts; what is long is cut, and can be had whole. */
export function DataEntries({
  title,
  entries,
  objectName,
}: {
  title: string
  entries: readonly DataEntry[]
  objectName: string
}) {
  return (
    <Section title={title} aside={entries.length > 0 ? `${entries.length}` : undefined}>
      {entries.length === 0 ? <p className="text-text-2">This config map holds nothing.</p> : null}
      <ul className="grid gap-5">
        {entries.map((entry) => (
          <li key={entry.key} className="grid min-w-0 gap-1.5">
            <EntryHead entry={entry} objectName={objectName} />
            {entry.value === null ? (
              <p className="text-text-2">Binary data.</p>
            ) : (
              <CodeBlock label={`Value of ${entry.key}`} text={entry.value.slice(0, shownTextLength)} />
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function EntryHead({
  entry: { key, value, sizeBytes },
  objectName,
}: {
  entry: DataEntry
  objectName: string
}) {
  const isCut = value !== null && value.length > shownTextLength
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h3 className="font-mono text-small font-medium break-all">{key}</h3>
      <span className="text-small text-text-2">{formatBytes(sizeBytes)}</span>
      {value === null ? <Badge>binary</Badge> : null}
      {isCut ? (
        <>
          <span className="text-small text-text-2">the beginning is shown</span>
          <Button
            size="small"
            icon={<Download size={14} aria-hidden />}
            onClick={() => downloadText(`${objectName}-${key}`, value, 'text/plain')}
          >
            Download
          </Button>
        </>
      ) : null}
    </div>
  )
}
