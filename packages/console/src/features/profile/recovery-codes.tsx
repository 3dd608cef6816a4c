import { Download } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { downloadText } from '../../lib/download.ts'

/** New recovery codes, which are shown this once. */
export function RecoveryCodes({ codes, email }: { codes: readonly string[]; email: string }) {
  const text = codes.join('\n')
  const download = () =>
    downloadText(
      'bey-recovery-codes.txt',
      `Recovery codes of Bey for ${email}. Each works once.\n\n${text}\n`,
      'text/plain',
    )
  return (
    <div className="flex flex-col gap-3">
      <Notice tone="warn" title="Keep these codes now">
        They are not shown again. Each lets you in once if your app or device is lost.
      </Notice>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-control border border-line bg-sunken px-3 py-2.5 font-mono text-small sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex items-center gap-2">
        <Button icon={<Download size={14} aria-hidden />} onClick={download}>
          Download
        </Button>
        <CopyButton text={text} label="Copy recovery codes" />
      </div>
    </div>
  )
}
