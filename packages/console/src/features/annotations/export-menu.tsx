import { Download } from 'lucide-react'
import type { AnnotationListQuery } from '../../data/annotations.ts'
import { useExportAnnotations } from '../../data/annotations.ts'
import { downloadText } from '../../lib/download.ts'
import { errorText } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.ts'

const formats = [
  { format: 'markdown', label: 'Markdown', extension: 'md', mediaType: 'text/markdown' },
  { format: 'json', label: 'JSON', extension: 'json', mediaType: 'application/json' },
] as const

/** Downloads the annotations that the filters leave. */
export function ExportMenu({ query, total }: { query: AnnotationListQuery; total: number | undefined }) {
  const { mutateAsync, isPending } = useExportAnnotations()
  const reason = total === 0 ? 'There is nothing to export.' : undefined
  const button = (
    <Button icon={<Download size={14} aria-hidden />} busy={isPending} disabledReason={reason}>
      Export
    </Button>
  )
  if (reason) return button
  return (
    <Menu trigger={button}>
      {formats.map((each) => (
        <MenuItem key={each.format} onSelect={() => void save(each)}>
          {each.label}
        </MenuItem>
      ))}
    </Menu>
  )

  async function save({ format, extension, mediaType }: (typeof formats)[number]) {
    const { userId, url, componentName, status, search } = query
    try {
      const text = await mutateAsync({ userId, url, componentName, status, search, format })
      const day = new Date().toISOString().slice(0, 10)
      downloadText(`annotations-${day}.${extension}`, text, mediaType)
    } catch (error) {
      const { title, detail } = errorText('Failed to export annotations', error)
      toast('error', title, detail ? { description: detail } : {})
    }
  }
}
