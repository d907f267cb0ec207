import type { Selection } from '../selection/selection.ts';
import type { PageTemplate } from './page-template.ts';
import type { PageTexts } from './page-texts.ts';

/** Says on the page what went wrong with what the user has stored. Mostly there is nothing to say. */
export function pageAlerts(selection: Selection, template: PageTemplate, texts: PageTexts): string {
  const { locale, unknownLocale, unknownZone, isStoreAvailable } = selection;
  if (isStoreAvailable && unknownLocale === undefined && unknownZone === undefined) return '';
  const sentences: string[] = [];
  if (!isStoreAvailable) sentences.push(texts.text(locale, 'storeUnavailable'));
  if (unknownLocale !== undefined) sentences.push(texts.about(locale, 'unknownLocale', unknownLocale));
  if (unknownZone !== undefined) sentences.push(texts.about(locale, 'unknownZone', unknownZone));
  const language = texts.languageAttributes(locale);
  return sentences.map((sentence) => template.alert(sentence, language)).join('');
}
