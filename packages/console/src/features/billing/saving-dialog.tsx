import type { SavingList } from '../../data/billing.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { estimateText } from '../../entities/billing/money.ts'

interface SavingDialogProps {
  saving: SavingList['savings'][number]
  currency: string
  onClose: () => void
}

/** The change that realises a saving: a sentence, and a YAML patch or the page where the change is made. */
export function SavingDialog({ saving, currency, onClose }: SavingDialogProps) {
  const { title, amount, isDirect, change, resourceName } = saving
  const worth = `${estimateText(amount, currency)} a month, estimated`
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="wide"
      title={<span className="wrap-anywhere">{title}</span>}
      description={
        isDirect ? `Saves ${worth}.` : `Frees room worth ${worth}. It saves money once a node is removed.`
      }
      footer={
        change.path === null ? undefined : (
          <ButtonLink href={change.path} className="max-w-full">
            <span className="truncate">Open {resourceName}</span>
          </ButtonLink>
        )
      }
    >
      <p className="pb-3 wrap-anywhere">{change.text}</p>
      {change.yaml === null ? null : <CodeBlock label="Patch as YAML" text={change.yaml} />}
      {change.yaml === null && change.path === null ? (
        <p className="text-text-2">
          There is no patch: the requests of the containers of {resourceName} are not known.
        </p>
      ) : null}
    </Dialog>
  )
}
