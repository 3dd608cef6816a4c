import { SettingsSection } from '../../ui/settings-section.tsx'
import { LinesField } from './lines-field.tsx'

interface AccessPoliciesProps {
  /** One per line. */
  domains: string
  /** One per line, an address or a network in CIDR notation. */
  networks: string
  disabled: boolean
  errorAt: (field: string) => string | undefined
  onDomainsChange: (domains: string) => void
  onNetworksChange: (networks: string) => void
}

/** Which addresses of e-mail may belong to members, and from which networks they may come. */
export function AccessPolicies(props: AccessPoliciesProps) {
  const { domains, networks, disabled, errorAt, onDomainsChange, onNetworksChange } = props
  return (
    <>
      <SettingsSection
        title="Who may access the organization"
        hint="Members with another address keep their account and are refused here, with the reason."
      >
        <LinesField
          label="Domains of e-mail addresses"
          hint="One per line, such as example.com. Empty: any domain."
          error={errorAt('allowedDomains')}
          disabled={disabled}
          value={domains}
          onChange={onDomainsChange}
        />
      </SettingsSection>
      <SettingsSection
        title="From where"
        hint="Holds for the console, kubectl and open connections. Behind a proxy the server has to trust it (BEY_TRUSTED_PROXIES)."
      >
        <LinesField
          label="Networks"
          hint="One per line, such as 10.0.0.0/8 or 203.0.113.7. Empty: from anywhere."
          error={errorAt('allowedNetworks')}
          disabled={disabled}
          className="font-mono"
          value={networks}
          onChange={onNetworksChange}
        />
      </SettingsSection>
    </>
  )
}
