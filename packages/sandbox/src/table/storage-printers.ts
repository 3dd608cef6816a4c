import { at, listAt, plain, textAt } from '../json.ts'
import type { KubeObject } from '../types.ts'
import { orNone } from './cells.ts'
import { printer, type Printer } from './columns.ts'

/** How the kinds of storage.k8s.io that drivers write are printed. */
export const storagePrinters: Readonly<Record<string, Printer>> = {
  'csidrivers.storage.k8s.io': printer<KubeObject>(
    'Name,AttachRequired,PodInfoOnMount,StorageCapacity,TokenRequests,RequiresRepublish,Modes,Age',
    (object, _nowMs, age) => {
      const audiences = listAt(object, 'spec', 'tokenRequests').map((one) => textAt(one, 'audience') ?? '')
      const modes = listAt(object, 'spec', 'volumeLifecycleModes').map(plain)
      return [
        object.metadata.name,
        flag(object, 'spec', 'attachRequired') ?? true,
        flag(object, 'spec', 'podInfoOnMount') ?? false,
        flag(object, 'spec', 'storageCapacity') ?? false,
        audiences.length > 0 ? audiences.join(',') : '<unset>',
        flag(object, 'spec', 'requiresRepublish') ?? false,
        orNone(modes.join(',')),
        age,
      ]
    },
  ),
  'csinodes.storage.k8s.io': printer<KubeObject>('Name,Drivers,Age', (object, _nowMs, age) => [
    object.metadata.name,
    listAt(object, 'spec', 'drivers').length,
    age,
  ]),
  'csistoragecapacities.storage.k8s.io': printer<KubeObject>('Name,StorageClassName,Capacity', (object) => [
    object.metadata.name,
    textAt(object, 'storageClassName') ?? '',
    textAt(object, 'capacity') ?? '<unset>',
  ]),
  'volumeattachments.storage.k8s.io': printer<KubeObject>(
    'Name,Attacher,PV,Node,Attached,Age',
    (object, _nowMs, age) => [
      object.metadata.name,
      textAt(object, 'spec', 'attacher') ?? '',
      textAt(object, 'spec', 'source', 'persistentVolumeName') ?? '',
      textAt(object, 'spec', 'nodeName') ?? '',
      flag(object, 'status', 'attached') ?? false,
      age,
    ],
  ),
}

function flag(object: KubeObject, ...path: string[]): boolean | undefined {
  const value = at(object, ...path)
  return typeof value === 'boolean' ? value : undefined
}
