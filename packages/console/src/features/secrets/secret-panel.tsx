import type { Secret } from '@bey/contract'
import { secretTypeLabels } from '@bey/contract'
import { SecretStatus } from '../../entities/secrets/secret-status.tsx'
import { accessHints, accessLabels, secretHref, secretReference } from '../../entities/secrets/secret-text.ts'
import { absent, formatNumber } from '../../lib/format.ts'
import { labelTexts } from '../../lib/label-text.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Facts } from '../../ui/facts.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'

export interface SecretPanelProps {
  secret: Secret
  onReveal: () => void
  onClose: () => void
}

/** A secret beside the list: what it is, who used it last, and how a workflow names it. Never its value. */
export function SecretPanel({ secret, onReveal, onClose }: SecretPanelProps) {
  const mayRead = secret.access === 'read' || secret.access === 'manage'
  return (
    <Drawer
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={secret.name}
      description={secret.description || secretTypeLabels[secret.type]}
      aside={<SecretStatus secret={secret} variant="badge" />}
      footer={
        <div className="flex w-full flex-wrap gap-2">
          <ButtonLink variant="primary" href={secretHref(secret.id)}>
            Open secret
          </ButtonLink>
          <Button
            onClick={onReveal}
            disabledReason={mayRead ? undefined : 'Only members with read access to it see its value.'}
          >
            Reveal value
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-6">
        <Section title="Secret">
          <Facts
            facts={[
              { label: 'Type', value: secretTypeLabels[secret.type] },
              { label: 'Version', value: formatNumber(secret.currentVersion) },
              { label: 'Labels', value: <LabelBadges labels={secret.labels} /> },
              { label: 'Your access', value: accessText(secret.access) },
              { label: 'In a workflow', value: <code>{secretReference(secret.name)}</code> },
            ]}
          />
        </Section>
        <Section title="Use">
          <Facts
            facts={[
              {
                label: 'Used by',
                value: secret.usedByCount === 0 ? absent : formatNumber(secret.usedByCount),
              },
              { label: 'Last used', value: <RelativeTime at={secret.lastUsedAt} /> },
              { label: 'Last read', value: <LastRead secret={secret} /> },
              { label: 'Value changed', value: <RelativeTime at={secret.valueChangedAt} /> },
              { label: 'Next rotation', value: <RelativeTime at={secret.nextRotationAt} /> },
              { label: 'Expires', value: <RelativeTime at={secret.expiresAt} /> },
            ]}
          />
        </Section>
      </div>
    </Drawer>
  )
}

function LastRead({ secret: { lastReadAt, lastReadBy } }: { secret: Secret }) {
  return (
    <>
      <RelativeTime at={lastReadAt} />
      {lastReadBy ? ` by ${lastReadBy}` : ''}
    </>
  )
}

function LabelBadges({ labels }: { labels: Secret['labels'] }) {
  const texts = labelTexts(labels)
  if (texts.length === 0) return absent
  return (
    <span className="flex flex-wrap gap-1">
      {texts.map((text) => (
        <Badge key={text}>{text}</Badge>
      ))}
    </span>
  )
}

function accessText(access: Secret['access']): string {
  return access === null
    ? 'None: you see only that it exists.'
    : `${accessLabels[access]}: ${accessHints[access]}`
}
