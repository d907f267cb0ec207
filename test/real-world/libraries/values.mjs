/** Values that stay as they are: no view, one short text or a few properties. */
export const values = {
  'luxon DateTime': {
    package: 'luxon',
    line: 'ts 1767323045000, o 0, isLuxonDateTime true',
    async make() {
      const { DateTime } = await import('luxon');
      return DateTime.fromISO('2026-01-02T03:04:05Z');
    },
  },
  dayjs: {
    package: 'dayjs',
    line: '$L en, $d 2026-01-02T03:04:05.000Z, $y 2026',
    async make() {
      const { default: dayjs } = await import('dayjs');
      return dayjs('2026-01-02T03:04:05Z');
    },
  },
  Decimal: {
    package: 'decimal.js',
    line: 's 1, e 0',
    async make() {
      const { Decimal } = await import('decimal.js');
      return new Decimal('1.10');
    },
  },
  Big: {
    package: 'big.js',
    line: 's 1, e 0',
    async make() {
      const { default: Big } = await import('big.js');
      return new Big('1.10');
    },
  },
  'three Scene': {
    package: 'three',
    line: /^isObject3D true, uuid /,
    async make() {
      const { BoxGeometry, Mesh, MeshBasicMaterial, Scene } = await import('three');
      const scene = new Scene();
      for (let index = 0; index < 20; index++) scene.add(new Mesh(new BoxGeometry(), new MeshBasicMaterial()));
      return scene;
    },
  },
};
