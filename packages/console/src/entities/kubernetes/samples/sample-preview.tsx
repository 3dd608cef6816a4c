import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { formatCount } from '../../../lib/format.ts'
import { parseManifest } from '../yaml/manifest-documents.ts'
import { samples } from './sample-list.ts'
import type { Sample } from './sample-list.ts'
import { sampleManifests } from './sample-manifests.ts'

/** Shows what a sample puts into a cluster before it is applied. */
export function SamplePreview({
  id,
  clusterTitle,
  onApply,
  onClose,
}: {
  id: Sample['id']
  clusterTitle: string
  onApply: () => void
  onClose: () => void
}) {
  const sample = samples.find((each) => each.id === id)
  if (!sample) return null
  const text = sampleManifests[id]
  const { documents } = parseManifest(text)
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      size="wide"
      title={`Apply ${sample.label} to ${clusterTitle}`}
      description={`Everything is in the namespace ${sample.namespace} and goes with it.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={onApply}>
            Apply {formatCount(documents.length, 'object')}
          </Button>
        </>
      }
    >
      <ul aria-label="Objects" className="grid gap-x-4 gap-y-0.5 sm:grid-cols-2">
        {documents.map(({ kind, name }) => (
          <li
            key={`${kind}/${name}`}
            className="flex min-w-0 justify-between gap-3 border-b border-line py-1"
          >
            <span className="text-text-2">{kind}</span>
            <span className="min-w-0 truncate font-mono text-small">{name}</span>
          </li>
        ))}
      </ul>
      <details className="mt-4">
        <summary className="cursor-pointer font-medium">YAML</summary>
        <pre
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must be able to scroll it
          tabIndex={0}
          className="mt-2 max-h-80 overflow-auto rounded border border-line p-3 font-mono text-small"
        >
          {text}
        </pre>
      </details>
      <p className="mt-3 text-small text-text-2">
        The repository of Bey has it as {id}.yaml, for kubectl apply -f.
      </p>
    </Dialog>
  )
}
