import { relative } from 'node:path';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

const secondsBetween = 10;
const unnoticed = new Set(['Survived', 'NoCoverage']);

/** Says which changes nobody noticed as soon as that is known, and now and then how far the run is. */
class Progress {
  #started = performance.now();
  #said = this.#started;
  #planned = 0;
  #tried = 0;

  onMutationTestingPlanReady({ mutantPlans }) {
    this.#planned = mutantPlans.filter(({ plan }) => plan === 'Run').length;
    this.#started = performance.now();
    console.log(`  ${this.#planned} changes to try`);
  }

  onMutantTested({ fileName, location, mutatorName, replacement, status, testsCompleted = 0 }) {
    if (unnoticed.has(status)) {
      const place = `${relative(process.cwd(), fileName)}:${location.start.line}:${location.start.column}`;
      console.log(`  ${status} ${place} ${mutatorName}: ${replacement?.replaceAll(/\s+/g, ' ').slice(0, 120)}`);
    }
    if (testsCompleted > 0 || status === 'Timeout') this.#tried++;
    if (performance.now() - this.#said < secondsBetween * 1000) return;
    this.#said = performance.now();
    const minutesEach = (this.#said - this.#started) / 60_000 / Math.max(1, this.#tried);
    const left = Math.ceil(minutesEach * (this.#planned - this.#tried));
    console.log(`  ${this.#tried} of ${this.#planned} tried, about ${left} min left`);
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, 'jig-progress', Progress)];
