import { Lock } from 'lucide-react'
import { useVersions } from '../../data/version.ts'
import { useReadOnly } from '../../lib/read-only.ts'

/** On every page while Bey is read-only: why, and what that means. */
export default function ReadOnlyBanner() {
  const isOn = useReadOnly()
  const readOnly = useVersions({ asksServer: isOn }).server?.readOnly
  if (!isOn) return null
  return (
    <section
      aria-label="Read-only"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-warn-soft px-(--gutter) py-1.5"
    >
      <Lock size={16} aria-hidden className="shrink-0 text-warn" />
      <p className="min-w-0 flex-1 basis-56 break-words">
        <strong className="font-semibold">Bey is read-only.</strong>
        {readOnly?.reason ? ` ${readOnly.reason}` : null} Changes are refused and no step of a run begins.
      </p>
    </section>
  )
}
