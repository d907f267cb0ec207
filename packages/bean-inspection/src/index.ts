export { type InspectionSettings, inspectionSettings } from './settings.ts';
