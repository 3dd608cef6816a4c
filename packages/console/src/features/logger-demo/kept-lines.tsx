import { Download, Trash2 } from 'lucide-react'
import { useMemo, useSyncExternalStore } from 'react'
import { downloadText } from '../../lib/download.ts'
import { formatCount } from '../../lib/format.ts'
import { lineLevels } from '../../lib/log-level.ts'
import type { LogLine } from '../../lib/log-lines.ts'
import { logger } from '../../lib/logger.ts'
import { Button } from '../../ui/button.tsx'
import { FilterInput } from '../../ui/filter-input.tsx'
import { LogView } from '../../ui/log-view.tsx'
import { Section } from '../../ui/section.tsx'
import { Select } from '../../ui/select.tsx'
import { useLogLocation } from './log-location.ts'
import type { LogLocation } from './log-location.ts'

/** What this browser has kept of the log, of every tab: by level and text, to copy, save and clear. */
export function KeptLines() {
  const lines = useSyncExternalStore(logger.subscribe, logger.lines)
  const logLocation = useLogLocation()
  const shown = useMemo(() => lines.filter((line) => isWanted(line, logLocation)), [lines, logLocation])
  const none = lines.length === 0 ? 'There is no line yet.' : 'No line matches the filter.'
  return (
    <Section
      title="Kept lines"
      aside={
        shown.length === lines.length
          ? formatCount(lines.length, 'line')
          : `${shown.length} of ${formatCount(lines.length, 'line')}`
      }
    >
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <FilterInput
          label="Filter lines"
          value={logLocation.text}
          onChange={(text) => logLocation.change({ q: text })}
        />
        <Select
          aria-label="Level of the lines"
          controlSize="small"
          value={logLocation.level ?? ''}
          onChange={(event) => logLocation.change({ level: event.target.value })}
          options={[
            { value: '', label: 'All levels' },
            ...lineLevels.map((level) => ({ value: level, label: level })),
          ]}
        />
        <span className="flex gap-2 sm:ml-auto">
          <Button
            size="small"
            icon={<Download size={14} aria-hidden />}
            disabledReason={shown.length === 0 ? none : undefined}
            onClick={() => downloadText('bey-console.log', shown.map(lineText).join('\n'), 'text/plain')}
          >
            Download
          </Button>
          <Button
            size="small"
            icon={<Trash2 size={14} aria-hidden />}
            disabledReason={lines.length === 0 ? none : undefined}
            onClick={logger.clear}
          >
            Clear
          </Button>
        </span>
      </div>
      <LogView
        label="Kept lines"
        lines={shown.map((line, index) => ({
          id: `${line.at} ${index}`,
          at: new Date(line.at),
          level: line.level,
          source: line.path,
          text: line.detail === undefined ? line.message : `${line.message}  ${line.detail}`,
        }))}
        empty={none}
        height="max(20rem, calc(100dvh - 30rem))"
      />
    </Section>
  )
}

function isWanted(line: LogLine, { text, level }: LogLocation): boolean {
  if (level !== undefined && line.level !== level) return false
  const wanted = text.toLowerCase()
  return [line.message, line.detail ?? '', line.path].some((part) => part.toLowerCase().includes(wanted))
}

function lineText({ at, level, path, message, detail }: LogLine): string {
  return [at, level, path, message, detail].filter((part) => part !== undefined).join('\t')
}
