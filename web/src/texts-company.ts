import { englishApprovals, englishCompany } from './english/company.ts';
import { german } from './language.ts';

/** In the language of the reader. */
export const companyTexts = german?.companyTexts ?? englishCompany;

/** In the language of the reader. */
export const approvalTexts = german?.approvalTexts ?? englishApprovals;
