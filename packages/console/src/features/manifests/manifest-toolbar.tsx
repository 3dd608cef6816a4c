import { FilePlus2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { TemplateDialog } from './template-dialog.tsx'

export interface ManifestToolbarProps {
  denied: string | undefined
  namespace: string
  namespaces: readonly string[]
  onNamespace: (namespace: string) => void
  onAdd: (text: string) => void
}

/** Where objects go that name no namespace, and the ways in which a manifest gets into the editor. */
export function ManifestToolbar({ denied, namespace, namespaces, onNamespace, onAdd }: ManifestToolbarProps) {
  const [isChoosing, setChoosing] = useState(false)
  const file = useRef<HTMLInputElement>(null)
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-(--gutter) py-2">
      <Select
        aria-label="Namespace of objects that name none"
        className="w-40"
        controlSize="small"
        value={namespace}
        onChange={(event) => onNamespace(event.target.value)}
        options={namespaces.map((name) => ({ value: name, label: name }))}
      />
      <Button
        size="small"
        icon={<FilePlus2 size={14} aria-hidden />}
        disabledReason={denied}
        onClick={() => setChoosing(true)}
      >
        Insert a template
      </Button>
      <Button
        size="small"
        icon={<Upload size={14} aria-hidden />}
        disabledReason={denied}
        onClick={() => file.current?.click()}
      >
        Upload
      </Button>
      <input
        ref={file}
        type="file"
        multiple
        accept=".yaml,.yml,.json"
        aria-label="Manifest files"
        className="hidden"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          void Promise.all(files.map((each) => each.text())).then((texts) => onAdd(texts.join('\n---\n')))
        }}
      />
      {isChoosing ? (
        <TemplateDialog
          onClose={() => setChoosing(false)}
          onChoose={({ text }) => {
            setChoosing(false)
            onAdd(text)
          }}
        />
      ) : null}
    </div>
  )
}
