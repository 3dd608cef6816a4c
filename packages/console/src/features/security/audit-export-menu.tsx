import { Download } from 'lucide-react'
import type { AuditQuery } from '../../data/audit.ts'
import { useExportAudit, useExportCheckpoints } from '../../data/audit.ts'
import { downloadText } from '../../lib/download.ts'
import { errorText } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.ts'

const formats = [
  { format: 'csv', label: 'CSV, for spreadsheets', mediaType: 'text/csv' },
  { format: 'jsonl', label: 'JSON Lines, for programs', mediaType: 'application/x-ndjson' },
  {
    format: 'proof',
    label: 'JSON Lines with proof, to verify elsewhere',
    mediaType: 'application/x-ndjson',
    extension: 'proof.jsonl',
  },
] as const

/** Downloads the entries that the filters leave, and the signed checkpoints. */
export function AuditExportMenu({ filters }: { filters: AuditQuery }) {
  const entries = useExportAudit()
  const checkpoints = useExportCheckpoints()
  return (
    <Menu
      trigger={
        <Button icon={<Download size={14} aria-hidden />} busy={entries.isPending || checkpoints.isPending}>
          Export
        </Button>
      }
    >
      {formats.map(({ format, label, mediaType, ...rest }) => (
        <MenuItem
          key={format}
          onSelect={() =>
            void save(`audit-${today()}.${'extension' in rest ? rest.extension : format}`, mediaType, () =>
              entries.mutateAsync({ ...filters, format }),
            )
          }
        >
          {label}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem
        onSelect={() =>
          void save(`audit-checkpoints-${today()}.json`, 'application/json', async () =>
            JSON.stringify(await checkpoints.mutateAsync(), undefined, 2),
          )
        }
      >
        Signed checkpoints
      </MenuItem>
      <MenuItem
        hint="Node and nothing else; it runs without this server."
        onSelect={() => void save('verify-audit.mjs', 'text/javascript', readVerifier)}
      >
        Program that verifies a proof
      </MenuItem>
    </Menu>
  )
}

async function readVerifier(): Promise<string> {
  const reply = await fetch('/verify-audit.mjs')
  if (!reply.ok) throw new Error(`The server answered ${reply.status}.`)
  return reply.text()
}

const today = () => new Date().toISOString().slice(0, 10)

async function save(fileName: string, mediaType: string, read: () => Promise<string>) {
  try {
    downloadText(fileName, await read(), mediaType)
  } catch (error) {
    const { title, detail } = errorText('Failed to export the audit log', error)
    toast('error', title, detail ? { description: detail } : {})
  }
}
