// Written by `npm run write-client-types` from the OpenAPI document. Changes are made there.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        SearchRequest: {
            query: string;
            filters?: components["schemas"]["SearchFilter"];
            options?: {
                /** @description Most documents to return, 10 by default; more than 100 counts as 100. */
                topK?: number;
                /** @description Whether QNA documents are searched, as by default. */
                includeFaqs?: boolean;
                /** @description Whether results carry the whole markdown. Not by default. */
                includeContent?: boolean;
                /** @description Whether QNA documents that are not active are left out. Not by default. */
                onlyActiveIntents?: boolean;
                /**
                 * @description The text around each text part that results carry as context: the passage; the section, from the nearest heading to before the next of the same or a higher rank; the page of a PDF, and the section of other documents. None by default.
                 * @enum {string}
                 */
                context?: "none" | "passage" | "section" | "page";
                /** @description Most characters of one context, its text part included; 2000 by default. */
                contextCharacters?: number;
                /** @description Documents to leave out before the first. The answer is a slice of the one with topK 100. */
                offset?: number;
                /** @description Documents with a lower bestMatchScore are left out. None by default. */
                minScore?: number;
            };
        };
        QueryRequest: {
            query: string;
            filters?: components["schemas"]["SearchFilter"];
            options?: {
                /** @description Most documents to return, 10 by default; more than 100 counts as 100. */
                topK?: number;
                /** @description Whether QNA documents are searched, as by default. */
                includeFaqs?: boolean;
                /** @description Whether results carry the whole markdown. Not by default. */
                includeContent?: boolean;
                /** @description Whether QNA documents that are not active are left out. Not by default. */
                onlyActiveIntents?: boolean;
                /**
                 * @description The text around each text part that results carry as context: the passage; the section, from the nearest heading to before the next of the same or a higher rank; the page of a PDF, and the section of other documents. None by default.
                 * @enum {string}
                 */
                context?: "none" | "passage" | "section" | "page";
                /** @description Most characters of one context, its text part included; 2000 by default. */
                contextCharacters?: number;
                /** @description Documents to leave out before the first. The answer is a slice of the one with topK 100. */
                offset?: number;
                /** @description Documents with a lower bestMatchScore are left out. None by default. */
                minScore?: number;
                /** @description The fields whose values are counted over all documents found. */
                facets?: string[];
                /** @description The field by whose values the best 100 documents are grouped. */
                groupBy?: string;
                /** @description Most documents of a group, 3 by default. Needs groupBy. */
                groupSize?: number;
            };
        };
        QueryAnswered: {
            /** @constant */
            success: true;
            /** @description The documents that a search returns, by falling bestMatchScore. */
            data: components["schemas"]["SearchResult"][];
            /** @description The exact number of documents found: those that a search with no maximum would return. Absent for a bot with too many passages to count all of them. */
            total?: number;
            /** @description By field of options.facets: its 20 most frequent values, with the number of documents found that have them. Of a list each element counts. Ties are in the order of booleans, numbers and texts. Without total, more documents may have a value. */
            facets?: {
                [key: string]: {
                    value: string | number | boolean;
                    count: number;
                }[];
            };
            /** @description With options.groupBy: the best 100 documents by their value of that field, of a list its first element. There are at most options.topK groups, in the order of their best documents. */
            groups?: components["schemas"]["ResultGroup"][];
        };
        ResultGroup: {
            /** @description null for the documents that have no value. */
            value: (string | number | boolean) | null;
            /** @description Best first. */
            results: components["schemas"]["SearchResult"][];
        };
        /** @description All entries must hold. A field is resourceDocId, type (WEBPAGE, PDF, DOCUMENT, TABLE, QNA, EXTERNAL; articles are EXTERNAL), status (active, inactive, pending), url, or metaData.<key>; its value is one that it must equal, or an object of operators. A list in metaData fits if one of its elements does; null counts as missing. A name has at most 512 characters and 32 dots. At most 8 levels of filters, and 200 conditions in all. Values are compared and not checked: one that no document has, finds nothing. */
        SearchFilter: {
            /** @description All of these must hold. */
            and?: components["schemas"]["SearchFilter"][];
            /** @description One of these must hold. */
            or?: components["schemas"]["SearchFilter"][];
            /** @description This must not hold. */
            not?: components["schemas"]["SearchFilter"];
        } & {
            [key: string]: (string | number | boolean) | components["schemas"]["FieldFilter"];
        };
        /** @description Operators of a field, all of which must hold. A missing field fails every operator but ne, nin and exists: false. Ranges compare numbers with numbers, and dates with dates: YYYY-MM-DD (00:00 UTC), or a date and time of RFC 3339. Without a zone it is UTC, but validators that check formats demand one. */
        FieldFilter: {
            /** @description Equals the value. */
            eq?: string | number | boolean;
            /** @description The negation of eq. */
            ne?: string | number | boolean;
            /** @description Equals one of the values. */
            in?: (string | number | boolean)[];
            /** @description The negation of in. */
            nin?: (string | number | boolean)[];
            gt?: number | string;
            gte?: number | string;
            lt?: number | string;
            lte?: number | string;
            /** @description Whether the field has a value. */
            exists?: boolean;
            /** @description A substring of a text, or a whole element of a list. Case-sensitive. */
            contains?: string;
            /** @description The beginning of a text, or of an element of a list. Case-sensitive. */
            startsWith?: string;
        };
        SearchResult: {
            resourceDocId: string;
            /** @enum {string} */
            type: "WEBPAGE" | "PDF" | "DOCUMENT" | "TABLE" | "QNA" | "EXTERNAL";
            /** @enum {string} */
            status: "active" | "inactive" | "pending";
            metaData: {
                [key: string]: unknown;
            };
            url?: string;
            /** @description The highest similarity among similarTextParts. */
            bestMatchScore: number;
            similarTextParts: components["schemas"]["TextPart"][];
            content: {
                md: string;
            }[];
        };
        TextPart: {
            text: string;
            /** @description 1 if and only if the query equals this part, the title or the question, or is pinned to it. */
            similarity: number;
            /** @description First line, counted from 1 over all blocks of content joined by one newline. */
            start: number;
            /** @description Last line, inclusive. */
            stop: number;
            context?: components["schemas"]["PartContext"];
        };
        /** @description The text around a text part, if options.context asks for it. It is absent if a better part of the document has the same one. */
        PartContext: {
            /** @description The lines start to stop; the text part alone if its lines have more than contextCharacters. */
            text: string;
            /** @description First line: at most that of the text part. */
            start: number;
            /** @description Last line, inclusive: at least that of the text part. */
            stop: number;
            /** @description The headings above the text part, from the highest rank to the nearest one. */
            headings: string[];
        };
        Feedback: {
            /** @description The x-request-id of the search. */
            requestId: string;
            resourceDocId?: string | null;
            /** @description Whether it helped. */
            helpful: boolean;
            comment?: string | null;
        };
        FeedbackTaken: {
            /** @constant */
            success: true;
        };
        SuggestRequest: {
            /** @description The text typed so far. */
            prefix: string;
            /** @description Most suggestions to return, 8 by default. */
            limit?: number;
        };
        Suggested: {
            /** @constant */
            success: true;
            data: components["schemas"]["Suggestion"][];
        };
        Suggestion: {
            /** @description The whole text in one line, a heading without marks of markdown. */
            text: string;
            /** @description The document that has the text; of several the one with the smallest id. */
            resourceDocId: string;
            /**
             * @description The text is the title of a document, a question of a QNA, or a heading within a document.
             * @enum {string}
             */
            kind: "title" | "question" | "heading";
        };
        /** @description Flat: nested objects and arrays are refused. Keys and values have at most 65536 characters in all, as text. A whole number that would be kept as another one, such as 9007199254740993, is refused (exactInteger): send it as a string. What an answer shows is always taken. A number with a point or an exponent is kept as the nearest of 64 bits. */
        Metadata: {
            [key: string]: string | number | boolean;
        };
        ActiveOn: {
            /** @description The article is attached to this agent; null counts as absent. */
            agent?: string | null;
            channel: string;
        }[];
        ArticleCreate: {
            /** @description Found as well as the body is; a query that equals it finds the article with similarity 1. */
            title: string;
            /** @description Markdown. It is kept exactly as it is sent. */
            body: string;
            metadata?: components["schemas"]["Metadata"] | null;
            source?: string | null;
            activeOn?: components["schemas"]["ActiveOn"] | null;
            strict?: boolean | null;
        };
        /** @description Fields that are given replace, others stay. null removes the source and empties metadata and activeOn. */
        ArticleUpdate: {
            /** @description Found as well as the body is; a query that equals it finds the article with similarity 1. */
            title?: string;
            /** @description Markdown. It is kept exactly as it is sent. */
            body?: string;
            metadata?: components["schemas"]["Metadata"] | null;
            source?: string | null;
            activeOn?: components["schemas"]["ActiveOn"] | null;
            /** @description Ignored on updates. */
            strict?: boolean | null;
            /** @description Ignored, so that an article can be sent back as it came. */
            id?: unknown;
            /** @description Ignored, so that an article can be sent back as it came. */
            status?: unknown;
            /** @description Ignored, so that an article can be sent back as it came. */
            createdAt?: unknown;
            /** @description Ignored, so that an article can be sent back as it came. */
            updatedAt?: unknown;
            /** @description Ignored, so that an article can be sent back as it came. */
            characterCount?: unknown;
        };
        Article: {
            id: string;
            /**
             * @description uploading until searches find the newest version, then active.
             * @enum {string}
             */
            status: "uploading" | "active";
            /** @description Found as well as the body is; a query that equals it finds the article with similarity 1. */
            title: string;
            /** @description Markdown. It is kept exactly as it is sent. */
            body: string;
            metadata: components["schemas"]["Metadata"];
            /**
             * Format: iri
             * @description Absolute http or https address of the original, kept as it is sent.
             */
            source?: string;
            activeOn: components["schemas"]["ActiveOn"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Code points of title and body: what counts against the quota. */
            characterCount: number;
        };
        ArticleWritten: {
            /** @constant */
            success: true;
            message: string;
            data: components["schemas"]["Article"];
            /** @description Characters of all articles of the bot, right after this write. */
            characterUsed: number;
        };
        ArticleList: {
            /** @constant */
            success: true;
            data: components["schemas"]["Article"][];
            /** @description What after is for the next page; absent on the last one. */
            next?: string;
        };
        ArticleDeleted: {
            /** @constant */
            success: true;
            message: string;
        };
        ArticleFound: {
            /** @constant */
            success: true;
            data: components["schemas"]["Article"];
        };
        /** @description The body of a create. */
        ArticleCreatePreview: {
            /** @description Found as well as the body is; a query that equals it finds the article with similarity 1. */
            title: string;
            /** @description Markdown. It is kept exactly as it is sent. */
            body: string;
            metadata?: components["schemas"]["Metadata"] | null;
            source?: string | null;
            activeOn?: components["schemas"]["ActiveOn"] | null;
            strict?: boolean | null;
            id?: null;
        };
        /** @description The id of an article, and the body of an update of it. */
        ArticleUpdatePreview: {
            /** @description Found as well as the body is; a query that equals it finds the article with similarity 1. */
            title?: string;
            /** @description Markdown. It is kept exactly as it is sent. */
            body?: string;
            metadata?: components["schemas"]["Metadata"] | null;
            source?: string | null;
            activeOn?: components["schemas"]["ActiveOn"] | null;
            /** @description Ignored on updates. */
            strict?: boolean | null;
            /** @description Of the article. */
            id: string;
            /** @description Ignored, so that an article can be sent back as it came. */
            status?: unknown;
            /** @description Ignored, so that an article can be sent back as it came. */
            createdAt?: unknown;
            /** @description Ignored, so that an article can be sent back as it came. */
            updatedAt?: unknown;
            /** @description Ignored, so that an article can be sent back as it came. */
            characterCount?: unknown;
        };
        ArticlePreview: components["schemas"]["ArticleCreatePreview"] | components["schemas"]["ArticleUpdatePreview"];
        ArticlePreviewed: {
            /** @constant */
            success: true;
            data: {
                /** @description Characters that the article would have. */
                characterCount: number;
                /** @description Characters that the write would add to the rate. */
                charge: number;
                /** @description Characters that the quota would have left: below 0 the write would be a 422, unless it adds nothing. */
                characterLeft: number;
                waitSeconds: number | null;
                /** @description What would be indexed, in order, with lines of the body. */
                passages: {
                    start: number;
                    stop: number;
                    text: string;
                }[];
            };
        };
        Batch: {
            operations: (components["schemas"]["BatchCreate"] | components["schemas"]["BatchUpdate"] | components["schemas"]["BatchDelete"] | components["schemas"]["BatchUpsert"])[];
        };
        BatchCreate: {
            /** @constant */
            op: "create";
            article: components["schemas"]["BatchArticle"];
        };
        BatchUpdate: {
            /** @constant */
            op: "update";
            /** @description Of the article. */
            id: string;
            article: components["schemas"]["BatchArticle"];
        };
        BatchDelete: {
            /** @constant */
            op: "delete";
            /** @description Of the article. */
            id: string;
        };
        BatchUpsert: {
            /** @constant */
            op: "upsert";
            /** @description The key of metadata that the article is found by, or several that tell it apart together. */
            by: string | string[];
            article: components["schemas"]["BatchArticle"];
        };
        /** @description The fields of a create or an update, checked by the operation itself. */
        BatchArticle: {
            [key: string]: unknown;
        };
        BatchAnswered: {
            /** @constant */
            success: true;
            /** @description One for each operation, in their order. */
            results: components["schemas"]["BatchResult"][];
        };
        BatchResult: {
            /** @description The status that this operation would get on its own. */
            status: number;
            body: components["schemas"]["ArticleWritten"] | components["schemas"]["ArticleDeleted"] | components["schemas"]["InvalidInput"] | components["schemas"]["Failure"] | string;
            /** @description Whole seconds, where the answer would have had Retry-After. */
            retryAfter?: number;
        };
        UsageAnswered: {
            /** @constant */
            success: true;
            data: {
                /** @description Characters of all articles. */
                characterUsed: number;
                /** @description Most characters of all articles together. */
                characterQuota: number;
                /** @description characterQuota without characterUsed. Below 0 after the operator has lowered the quota below what is used. */
                characterLeft: number;
                bytes: {
                    /** @description Bytes of all articles: titles, bodies, sources, metadata and activeOn, and 100 for each article. */
                    used: number;
                    /** @description Most bytes of all articles together. */
                    max: number;
                };
                rate: {
                    /** @description Most characters that writes may add in any 60 seconds. */
                    charactersPerMinute: number;
                    /** @description Characters that writes added in the last 60 seconds. A delete gives none of them back. */
                    used: number;
                    /** @description Whole seconds until used is 0, if nothing is added. Parts of it are free earlier: Retry-After of a 429 says when one write is admitted. */
                    resetSeconds: number;
                };
                /** @description Documents by type. The articles are EXTERNAL. */
                documents: {
                    WEBPAGE: number;
                    PDF: number;
                    DOCUMENT: number;
                    TABLE: number;
                    QNA: number;
                    EXTERNAL: number;
                };
                /** @description The bot's embedder; null for a bot that finds by words alone. */
                embedder: {
                    name: string;
                    /** @description Documents that lack its vectors, and will get them. */
                    waiting: number;
                } | null;
            };
        };
        InvalidInput: {
            message: string;
            /** @constant */
            code: 1001;
            /** @constant */
            status: 400;
            data: {
                /** @description Every broken rule; beyond 100 of them message says how many more there are. */
                result: {
                    message: string;
                    /** @description Dotted name, for example options.topK or activeOn.0.channel. */
                    field: string;
                    /** @description The rule, for example required or maxLength. */
                    type: string;
                }[];
            };
        };
        Failure: {
            /** @constant */
            success: false;
            error: components["schemas"]["FailureError"];
        };
        FailureError: {
            /** @description For people; it may change. */
            message: string;
            /** @description What went wrong. It stays the same in all versions. */
            code: number;
            /** @description The status of the answer. */
            status: number;
        };
        Condition: {
            /** @constant */
            status: "ok";
        };
        /** @description Bots that cannot be used, or not be written to. They do not keep the server from being ready. */
        Faults: {
            /** @description How many there are. */
            count: number;
            bots: {
                id: string;
                /**
                 * @description damaged: refused until it is repaired. inaccessible: its files cannot be opened just now. readOnly: writes are refused until a restart. notWritable: writes fail just now.
                 * @enum {string}
                 */
                kind: "damaged" | "inaccessible" | "readOnly" | "notWritable";
            }[];
            /** @description True while the database that several servers share does not answer, absent otherwise: nothing can be written. The server stays ready as long as it answers searches from memory. */
            databaseUnreachable?: boolean;
        };
        Readiness: {
            /** @constant */
            status: "ready";
            faults: components["schemas"]["Faults"];
        };
        NotReady: {
            /** @constant */
            success: false;
            error: components["schemas"]["FailureError"];
            faults?: components["schemas"]["Faults"];
        };
        /** @description A document of OpenAPI 3.1. */
        Description: {
            [key: string]: unknown;
        };
        AdminSignIn: {
            /** @description An admin key, or a one-time code. */
            key: string;
        };
        AdminSession: {
            /** @description Of the admin key. */
            name: string;
            /** @enum {string} */
            scope: "write" | "read";
            /** @description Sent as x-csrf-token with each change that the cookie authorises. */
            csrfToken: string;
            /** Format: date-time */
            expiresAt: string;
            /** @description The ids of the bots that the key may see; absent: all. */
            bots?: string[];
        };
        AdminNothing: Record<string, unknown>;
        AdminBot: {
            name: string;
            quotaCharacters: number;
            rateCharactersPerMinute: number;
            quotaBytes: number | "auto";
            rateBytesPerMinute: number | "auto";
            importBytes: number | "none";
            language: string;
            embedder: string;
            /** @enum {string} */
            quality: "best" | "fast";
            questionLog: boolean;
            questionLogDays: number;
            gapScore: number;
            id: string;
            /** Format: date-time */
            createdAt: string;
            hasKey: boolean;
            fault?: {
                kind: string;
                message: string;
            };
        };
        AdminFleetBot: {
            name: string;
            quotaCharacters: number;
            rateCharactersPerMinute: number;
            quotaBytes: number | "auto";
            rateBytesPerMinute: number | "auto";
            importBytes: number | "none";
            language: string;
            embedder: string;
            /** @enum {string} */
            quality: "best" | "fast";
            questionLog: boolean;
            questionLogDays: number;
            gapScore: number;
            id: string;
            /** Format: date-time */
            createdAt: string;
            hasKey: boolean;
            fault?: {
                kind: string;
                message: string;
            };
            /** @description Figures that are known without opening the bot, as of `KnownFigures` of the library. */
            figures?: {
                [key: string]: unknown;
            };
            advice?: {
                kind: string;
                mend: string;
                story: string;
                writtenIn?: string;
            }[];
        };
        AdminBotDetails: {
            bot: components["schemas"]["AdminBot"];
            /** @description The figures of `loredex bot show --json`. */
            stats: {
                [key: string]: unknown;
            };
            advice?: {
                kind: string;
                mend: string;
                story: string;
                writtenIn?: string;
            }[];
        };
        AdminBotCreate: {
            name: string;
            quotaCharacters?: number;
            rateCharactersPerMinute?: number;
            quotaBytes?: number | "auto";
            rateBytesPerMinute?: number | "auto";
            importBytes?: number | "none";
            language?: string;
            embedder?: string;
            /** @enum {string} */
            quality?: "best" | "fast";
            questionLog?: boolean;
            questionLogDays?: number;
            gapScore?: number;
        };
        AdminBotChanges: {
            name?: string;
            quotaCharacters?: number;
            rateCharactersPerMinute?: number;
            quotaBytes?: number | "auto";
            rateBytesPerMinute?: number | "auto";
            importBytes?: number | "none";
            language?: string;
            embedder?: string;
            /** @enum {string} */
            quality?: "best" | "fast";
            questionLog?: boolean;
            questionLogDays?: number;
            gapScore?: number;
        };
        AdminNewBot: {
            bot: components["schemas"]["AdminBot"];
            /** @description Shown here alone. */
            key: string;
        };
        AdminRestoredBot: {
            bot: components["schemas"]["AdminBot"];
            key?: string;
        };
        AdminKey: {
            name: string;
            /** @enum {string} */
            scope: "all" | "search";
            origins: string[];
            requestsPerMinute?: number;
        };
        AdminKeyCreate: {
            name: string;
            /** @enum {string} */
            scope?: "all" | "search";
            origins?: string[];
            requestsPerMinute?: number;
        };
        AdminNewKey: {
            /** @description Shown here alone. */
            key: string;
        };
        AdminRegistration: {
            name: string;
            active: boolean;
        };
        AdminActive: {
            active: boolean;
        };
        AdminSource: {
            name: string;
            documents: number;
            arguments: {
                [key: string]: unknown;
            }[];
            takenOverBy?: string;
        };
        AdminRemoved: {
            /** @description Documents. */
            removed: number;
        };
        AdminDocumentRow: {
            id: string;
            /** @enum {string} */
            type: "WEBPAGE" | "PDF" | "DOCUMENT" | "TABLE" | "QNA" | "EXTERNAL";
            /** @enum {string} */
            status: "active" | "inactive" | "pending" | "uploading";
            characters: number;
            isArticle: boolean;
            title?: string;
            url?: string;
            source?: string;
            /**
             * Format: date-time
             * @description Of the last change. Absent for documents that an earlier version imported.
             */
            updatedAt?: string;
        };
        /** @description An imported document as it is stored, or an article as searches return it. */
        AdminDocument: {
            resourceDocId: string;
            /** @enum {string} */
            type: "WEBPAGE" | "PDF" | "DOCUMENT" | "TABLE" | "QNA" | "EXTERNAL";
            status: string;
        } & {
            [key: string]: unknown;
        };
        AdminDocumentStatus: {
            /** @enum {string} */
            status: "active" | "inactive" | "pending";
        };
        AdminExplain: {
            query: string;
            id: string;
            options?: components["schemas"]["AdminExplainOptions"] | null;
        };
        AdminExplainOptions: {
            /** @description Most documents to return, 10 by default; more than 100 counts as 100. */
            topK?: number;
            /** @description Whether QNA documents are searched, as by default. */
            includeFaqs?: boolean;
            /** @description Whether results carry the whole markdown. Not by default. */
            includeContent?: boolean;
            /** @description Whether QNA documents that are not active are left out. Not by default. */
            onlyActiveIntents?: boolean;
            /**
             * @description The text around each text part that results carry as context: the passage; the section, from the nearest heading to before the next of the same or a higher rank; the page of a PDF, and the section of other documents. None by default.
             * @enum {string}
             */
            context?: "none" | "passage" | "section" | "page";
            /** @description Most characters of one context, its text part included; 2000 by default. */
            contextCharacters?: number;
            /** @description Documents to leave out before the first. The answer is a slice of the one with topK 100. */
            offset?: number;
            /** @description Documents with a lower bestMatchScore are left out. None by default. */
            minScore?: number;
            filters?: components["schemas"]["SearchFilter"];
            /** @enum {string} */
            quality?: "best" | "fast" | "words";
            vocabulary?: components["schemas"]["AdminVocabularyInput"];
        };
        /** @description As `Explanation` of the library. */
        AdminExplanation: {
            [key: string]: unknown;
        };
        AdminVocabulary: {
            synonyms: string[];
            pins: {
                question: string;
                document: string;
            }[];
            ignored: string[];
        };
        /** @description All texts together have at most 500000 UTF-16 units. */
        AdminVocabularyInput: {
            synonyms?: string[];
            pins?: {
                question: string;
                document: string;
            }[];
            ignored?: string[];
        };
        AdminImport: {
            addresses: string[];
            source?: string | null;
        };
        AdminFileReport: {
            file: string;
            imported: number;
            unchanged: number;
            removed: number;
            problems: {
                message: string;
                line?: number;
            }[];
        };
        AdminJob: {
            id: string;
            /** @enum {string} */
            kind: "upload" | "import" | "sync" | "run";
            /** @enum {string} */
            state: "running" | "done" | "failed";
            /** Format: date-time */
            startedAt: string;
            done: number;
            /** Format: date-time */
            endedAt?: string;
            total?: number;
            message?: string;
            /** @description Of each file; for a job of the kind run, the id of the run. */
            report?: components["schemas"]["AdminFileReport"][] | string;
        };
        AdminGolden: {
            questions: {
                question: string;
                expected: {
                    id: string;
                    gain: number;
                    lines: number[][];
                }[];
            }[];
        };
        /** @description All questions together, as JSON, have at most 1048576 UTF-16 units. */
        AdminGoldenInput: {
            questions: ({
                question: string;
                expected: string | {
                    id: string;
                    /** @description One line, [first, last], or several of these ranges. Default: any line. */
                    lines?: number | number[] | number[][];
                    /** @description Default 1. */
                    gain?: number;
                } | (string | {
                    id: string;
                    /** @description One line, [first, last], or several of these ranges. Default: any line. */
                    lines?: number | number[] | number[][];
                    /** @description Default 1. */
                    gain?: number;
                })[];
            } | {
                question: string;
                id: string;
                /** @description One line, [first, last], or several of these ranges. Default: any line. */
                lines?: number | number[] | number[][];
                /** @description Default 1. */
                gain?: number;
            })[];
        };
        AdminRunStart: {
            vocabulary?: components["schemas"]["AdminVocabularyInput"] | null;
        };
        AdminRunSummary: {
            id: string;
            /** Format: date-time */
            at: string;
            questions: number;
            missed: number;
            /** @description Means over the questions, as of `EvaluationMeasures` of the library. */
            measures: {
                ndcgAt10: number;
            } & {
                [key: string]: unknown;
            };
            /** @enum {string} */
            quality?: "best" | "fast";
            vocabulary?: boolean;
        };
        AdminRun: {
            id: string;
            /** Format: date-time */
            at: string;
            questions: number;
            missed: number;
            /** @description Means over the questions, as of `EvaluationMeasures` of the library. */
            measures: {
                ndcgAt10: number;
            } & {
                [key: string]: unknown;
            };
            misses: {
                [key: string]: unknown;
            }[];
            /** @enum {string} */
            quality?: "best" | "fast";
            vocabulary?: boolean;
        };
        AdminNearestDocument: {
            id: string;
            score: number;
            title?: string;
        };
        AdminGap: {
            question: string;
            count: number;
            countWeek: number;
            countBefore: number;
            unhelpful: number;
            bestScore: number;
            examples: string[];
            /** Format: date-time */
            lastAskedAt: string;
            nearest?: components["schemas"]["AdminNearestDocument"];
        };
        AdminQuestion: {
            id: number;
            /** Format: date-time */
            askedAt: string;
            question: string;
            bestScore: number;
            nearest?: components["schemas"]["AdminNearestDocument"];
            requestId?: string;
            feedback?: {
                helpful: boolean;
                /** Format: date-time */
                at: string;
                resourceDocId?: string;
                comment?: string;
            };
        };
        AdminFindings: {
            neverFound: {
                id: string;
                title?: string;
            }[];
            nearDuplicates: {
                ids: string[];
                titles: string[];
                similarity: number;
            }[];
            contradictions: {
                ids: string[];
                titles: string[];
                lines: string[];
                /** @enum {string} */
                reason: "numbers" | "negation";
            }[];
            weeks: {
                week: string;
                questions: number;
                gaps: number;
                helpful: number;
                unhelpful: number;
            }[];
        };
        AdminChange: {
            /** Format: date-time */
            at: string;
            by: string;
            action: string;
            bot?: string;
            target?: string;
        };
        AdminStatus: {
            version: string;
            /** @description As `EngineCondition` of the library. */
            condition: {
                canWrite: boolean;
            } & {
                [key: string]: unknown;
            };
            alerts: {
                name: string;
                /** @enum {string} */
                severity: "warning" | "critical";
                meaning: string;
                /** @description The ids of the bots that it concerns; empty: the server. */
                bots: string[];
            }[];
        };
        AdminSessionAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminSession"];
        };
        AdminDone: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminNothing"];
        };
        AdminBotsAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminFleetBot"][];
        };
        AdminBotAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminBot"];
        };
        AdminNewBotAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminNewBot"];
        };
        AdminRestoredBotAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminRestoredBot"];
        };
        AdminBotDetailsAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminBotDetails"];
        };
        AdminKeysAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminKey"][];
        };
        AdminNewKeyAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminNewKey"];
        };
        AdminRegistrationsAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminRegistration"][];
        };
        AdminArticlesAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Article"][];
        };
        AdminSourcesAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminSource"][];
        };
        AdminRemovedAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminRemoved"];
        };
        AdminDocumentsAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminDocumentRow"][];
            /** @description Rows on all pages. */
            total: number;
        };
        AdminDocumentAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminDocument"];
        };
        AdminResultsAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["SearchResult"][];
        };
        AdminExplanationAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminExplanation"];
        };
        AdminVocabularyAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminVocabulary"];
        };
        AdminJobAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminJob"];
        };
        AdminJobsAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminJob"][];
        };
        AdminGoldenAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminGolden"];
        };
        AdminRunsAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminRunSummary"][];
        };
        AdminRunAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminRun"];
        };
        AdminGapsAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminGap"][];
        };
        AdminQuestionsAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminQuestion"][];
        };
        AdminFindingsAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminFindings"];
        };
        AdminChangesAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminChange"][];
            /** @description The `before` of the next page; absent on the last one. */
            next?: number;
        };
        AdminStatusAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AdminStatus"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Names this request in the service's log: the x-request-id of the request, or one of the service's own.
         * @example 4e1f6a0c-5a0b-4f9d-9c1d-2b1f0a3c7d55
         */
        RequestId: string;
        /**
         * @description Whole seconds after which the same request can succeed.
         * @example 12
         */
        RetryAfter: number;
        /**
         * @description The ways to send a key.
         * @example ApiKey, Bearer
         */
        Challenge: string;
        /**
         * @description How the body is compressed, where the request's Accept-Encoding allows it and it has more than 1 KiB; answers with an ETag never are.
         * @example br
         */
        Coding: "br" | "gzip";
        /**
         * @description Names the article, the vocabulary or the golden questions as they are in this answer: another one as soon as any field is another.
         * @example "mnoT3LkZkO5fWb0m1cXh1A-a"
         */
        ETag: string;
        /**
         * @description The article was created before, by a request with the same Idempotency-Key: this is the answer of then.
         * @example true
         */
        Replayed: "true";
        /**
         * @description Stands here while the database that several servers share does not answer: the answer may lack what others wrote in this many seconds before it.
         * @example 3
         */
        Stale: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
