import { ApiError } from '@bey/client'
import { deniedReason, dumpFileName, dumpRefusal } from '@bey/contract'
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useRead } from '../../../data/use-read.ts'
import { api } from '../../../lib/api.ts'
import { downloadBlob } from '../../../lib/download.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../../ui/section.tsx'
import { toast } from '../../../ui/toast.ts'

/** The reply began, and did not come to its end: the server breaks it off where pg_dump fails. */
const brokenOff =
  'The download broke off before its end: pg_dump failed, or the connection was lost. No file was saved.'

/** A logical dump of a database as a file, or why there can be none. */
export function DumpCard({ database }: { database: Database }) {
  const params = { id: database.id }
  const denied = deniedReason(useRole(), 'databases.query')
  const unavailable = dumpRefusal(database)
  const isEnabled = denied === undefined && unavailable === undefined
  const program = useRead('databases.dumpProgram', { params }, { isEnabled })
  const stale = useStaleReason()
  const [isDownloading, setDownloading] = useState(false)
  const refusal = unavailable ?? program.data?.refusal ?? undefined

  async function download() {
    setDownloading(true)
    try {
      const response = await api.stream('databases.downloadDump', { params })
      // Browsers keep a large blob on disk. A download that breaks off rejects.
      downloadBlob(dumpFileName(database.name, new Date()), await response.blob())
    } catch (caught) {
      const requestId = caught instanceof ApiError ? caught.requestId : ''
      toast('error', 'Failed to download the dump', {
        description: caught instanceof ApiError ? causeOf(caught) : brokenOff,
        ...(requestId ? { requestId } : {}),
      })
    } finally {
      setDownloading(false)
    }
  }

  return (
    <Section
      title="Logical dump"
      isCard
      aside={
        <Button
          size="small"
          icon={<Download size={14} aria-hidden />}
          busy={isDownloading}
          disabledReason={
            denied ?? stale ?? (program.data || unavailable ? refusal : 'Looking for pg_dump …')
          }
          onClick={() => void download()}
        >
          Download
        </Button>
      }
    >
      <p className="text-pretty text-text-2">
        {refusal ??
          'The schema and the rows as they are at one moment, in a file for pg_restore. It restores into any later version of PostgreSQL, to that moment alone.'}
      </p>
      {program.data?.program ? (
        <p className="mt-2 text-small break-all text-text-3">{programText(program.data.program)}</p>
      ) : null}
    </Section>
  )
}

function programText({
  place,
  name,
  version,
}: {
  place: 'machine' | 'pod'
  name: string
  version: string | null
}) {
  return place === 'pod'
    ? `By pg_dump in the pod ${name}, in your name`
    : `By pg_dump ${version ?? ''} on the machine of Bey (${name})`
}
