/** Values that are shown as they are, and told by one text. */
export const values = {
  'luxon DateTime': {
    package: 'luxon',
    line: /^2026-01-02T03:04:05/,
    async make() {
      const { DateTime } = await import('luxon');
      return DateTime.fromISO('2026-01-02T03:04:05Z');
    },
  },
  dayjs: {
    package: 'dayjs',
    line: '2026-01-02T03:04:05.000Z',
    async make() {
      const { default: dayjs } = await import('dayjs');
      return dayjs('2026-01-02T03:04:05Z');
    },
  },
  Decimal: {
    package: 'decimal.js',
    line: '1.1',
    async make() {
      const { Decimal } = await import('decimal.js');
      return new Decimal('1.10');
    },
  },
  Big: {
    package: 'big.js',
    line: '1.1',
    async make() {
      const { default: Big } = await import('big.js');
      return new Big('1.10');
    },
  },
  'three Scene': {
    package: 'three',
    line: /^uuid .+, type Scene, /,
    async make() {
      const { BoxGeometry, Mesh, MeshBasicMaterial, Scene } = await import('three');
      const scene = new Scene();
      for (let index = 0; index < 20; index++) scene.add(new Mesh(new BoxGeometry(), new MeshBasicMaterial()));
      return scene;
    },
  },
};
