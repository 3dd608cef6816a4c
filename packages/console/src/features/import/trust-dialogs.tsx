import type { ConnectionTest } from '@bey/contract'
import { useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'

/** Takes the authorities of a cluster as PEM text. */
export function CaBundleDialog({ onClose, onTake }: { onClose: () => void; onTake: (pem: string) => void }) {
  const [text, setText] = useState('')
  const isPem = text.includes('-----BEGIN CERTIFICATE-----')
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Add a CA bundle"
      description="Certificates of the authorities that sign for this cluster, as PEM text. They are used instead of those in the kubeconfig."
      isModalStrict
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabledReason={isPem ? undefined : 'Paste text that begins with -----BEGIN CERTIFICATE-----.'}
            onClick={() => onTake(text)}
          >
            Test with this bundle
          </Button>
        </>
      }
    >
      <Field label="CA bundle">
        {(control) => (
          <TextArea
            {...control}
            value={text}
            onChange={(event) => setText(event.target.value)}
            rows={10}
            spellCheck={false}
            placeholder="-----BEGIN CERTIFICATE-----"
            className="font-mono text-small"
          />
        )}
      </Field>
    </Dialog>
  )
}

/** Asks to compare the fingerprint of a certificate before it is trusted. */
export function TrustDialog({
  certificate,
  server,
  onClose,
  onTrust,
}: {
  certificate: ConnectionTest['chain'][number]
  server: string
  onClose: () => void
  onTrust: () => void
}) {
  const [wasCompared, setCompared] = useState(false)
  const id = useId()
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Trust “${certificate.subject}” for this cluster`}
      description="An attacker between Bey and the cluster could present another certificate. Only the fingerprint distinguishes the two."
      isModalStrict
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabledReason={
              wasCompared ? undefined : 'Compare the fingerprint first, then confirm that you did.'
            }
            onClick={onTrust}
          >
            Trust it
          </Button>
        </>
      }
    >
      <p className="text-text-2">SHA-256 fingerprint</p>
      <p className="mt-1 rounded-control border border-line bg-sunken p-3 font-mono text-small break-all">
        {certificate.fingerprint}
      </p>
      <p className="mt-3 text-text-2" id={id}>
        On a machine of the cluster, this prints the same for its authority:
      </p>
      <p className="mt-1 font-mono text-small break-all">
        openssl x509 -in /etc/kubernetes/pki/ca.crt -noout -fingerprint -sha256
      </p>
      <div className="mt-4">
        <Checkbox
          checked={wasCompared}
          onChange={(event) => setCompared(event.target.checked)}
          label={`I compared it with the fingerprint on ${server}`}
        />
      </div>
    </Dialog>
  )
}
