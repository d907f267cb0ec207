import { describe, expect, it } from 'vitest';
import type { Mount } from '../frameworks/conformance/mount.ts';
import { expressMount } from '../frameworks/mounts/express.ts';
import { nestMounts } from '../frameworks/mounts/nest.ts';
import { treeKeys, treeRow, useBrowser } from '../support/bean-browser.ts';
import { orderShop } from '../support/order-shop.ts';

const visit = useBrowser();
const mounts = [expressMount(5), ...nestMounts.slice(0, 2)];

describe.each(mounts.map((mount) => [mount.name, mount] as const))('the bean browser %s', (_name, mount: Mount) => {
  it('works below another prefix, behind helmet, with its own policy', async () => {
    const { source } = orderShop();
    const running = await mount.start({ source } as Parameters<Mount['start']>[0], { prefix: '/internal/look' });
    try {
      await visit(`${running.url}/internal/look/bean`, async (page) => {
        await page.getByRole('searchbox').fill('stock');
        await page.getByRole('rowheader', { name: 'stockLevels' }).getByRole('link').click();
        expect(new URL(page.url()).pathname).toBe('/internal/look/bean/stockLevels.html');
        await treeRow(page, 'kettle').waitFor();
        expect(await treeKeys(page)).toEqual(['levels', 'kettle', 'toaster']);
        await page.getByRole('searchbox').fill('kettle');
        await page.keyboard.press('Enter');
        await page.getByRole('link', { name: '/levels/kettle' }).click();
        expect(await page.locator('.whole').textContent()).toBe('12');
      });
    } finally {
      await running.stop();
    }
  });
});
