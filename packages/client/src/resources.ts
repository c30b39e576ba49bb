// Written by `npm run client:write` from the definitions of packages/resources: change those.

/** What the operations of one product structure version took, by calendar month (UTC) of completion, newest month first. Beyond the specification. */
export interface AggregatedProductionTimeMonthsItem {
  /** Calendar month of completion in UTC, as yyyy-MM. */
  readonly month: string;
  /** Number of completed work order operations taken into the average calculation. */
  readonly numberOfCompletedProductionWorkOrders: number;
  /** Actual processing. */
  readonly processing: {
    /** Average run time in hours. Null where there is none. */
    readonly averageRunTime: number | null;
    /** Shortest run time in hours. Null where there is none. */
    readonly shortestRunTime: number | null;
    /** Longest run time in hours. Null where there is none. */
    readonly longestRunTime: number | null;
    /** Deviation of run time in hours: the population standard deviation. Null where there is none. */
    readonly deviationRunTime: number | null;
  };
  /** Actual changeover. */
  readonly changeover: {
    /** Actual setup. */
    readonly setup: {
      /** Average setup time in hours. Null where there is none. */
      readonly averageSetupTime: number | null;
      /** Shortest setup time in hours. Null where there is none. */
      readonly shortestSetupTime: number | null;
      /** Longest setup time in hours. Null where there is none. */
      readonly longestSetupTime: number | null;
      /** Deviation of setup time in hours: the population standard deviation. Null where there is none. */
      readonly deviationSetupTime: number | null;
    };
    /** Actual cleanup. */
    readonly cleanup: {
      /** Average cleanup time in hours. Null where there is none. */
      readonly averageCleanupTime: number | null;
      /** Shortest cleanup time in hours. Null where there is none. */
      readonly shortestCleanupTime: number | null;
      /** Longest cleanup time in hours. Null where there is none. */
      readonly longestCleanupTime: number | null;
      /** Deviation of cleanup time in hours: the population standard deviation. Null where there is none. */
      readonly deviationCleanupTime: number | null;
    };
  };
}

/** What completed work order operations took, in hours. */
export interface AggregatedProductionTimesGroup {
  /** Number of completed work order operations taken into the average calculation. */
  readonly numberOfCompletedProductionWorkOrders: number;
  /** Actual processing. */
  readonly processing: {
    /** Average run time in hours. Null where there is none. */
    readonly averageRunTime: number | null;
    /** Shortest run time among the completed operations in hours. Null where there is none. */
    readonly shortestRunTime: number | null;
    /** Longest run time among the completed operations in hours. Null where there is none. */
    readonly longestRunTime: number | null;
    /** Deviation of run time in hours: the population standard deviation. Null where there is none. */
    readonly deviationRunTime: number | null;
  };
  /** Actual changeover. */
  readonly changeover: {
    /** Actual setup. */
    readonly setup: {
      /** Average setup time in hours. Null where there is none. */
      readonly averageSetupTime: number | null;
      /** Shortest setup time among the completed operations in hours. Null where there is none. */
      readonly shortestSetupTime: number | null;
      /** Longest setup time among the completed operations in hours. Null where there is none. */
      readonly longestSetupTime: number | null;
      /** Deviation of setup time in hours: the population standard deviation. Null where there is none. */
      readonly deviationSetupTime: number | null;
    };
    /** Actual cleanup. */
    readonly cleanup: {
      /** Average cleanup time in hours. Null where there is none. */
      readonly averageCleanupTime: number | null;
      /** Shortest cleanup time among the completed operations in hours. Null where there is none. */
      readonly shortestCleanupTime: number | null;
      /** Longest cleanup time among the completed operations in hours. Null where there is none. */
      readonly longestCleanupTime: number | null;
      /** Deviation of cleanup time in hours: the population standard deviation. Null where there is none. */
      readonly deviationCleanupTime: number | null;
    };
  };
}

/** One application as its newest version describes it. Beyond the specification. */
export interface Application {
  /** Identifier of the application. */
  readonly applicationId: number;
  /** Status of the application. Known values: 1 new, 4 active, 9 obsolete. Null where there is none. */
  readonly status: number | null;
  /** What the value of status means; only with `descriptions: true`, null where nobody says. */
  readonly statusDescription?: string | null;
  /** Type of HTML5 component, used for widgets. Known values: APPLICATION application, WIDGET widget, COMPONENT component. */
  readonly type: string;
  /** What the value of type means; only with `descriptions: true`, null where nobody says. */
  readonly typeDescription?: string | null;
  /** Name of the application. */
  readonly name: string;
  /** Descriptive name. Null where there is none. */
  readonly descriptiveName: string | null;
  /** Descriptive tag of the application or component. Null where there is none. */
  readonly description: string | null;
  /** Namespace of the application. Null where there is none. */
  readonly namespace: string | null;
  /** Number of its versions. */
  readonly numberOfVersions: number;
  /** Reference to the application version. */
  readonly applicationVersionLink: string;
  /** Reference to the list of its versions. */
  readonly versionsLink: string;
}

/** One version of an application: a registered component or widget of the user interface. */
export interface ApplicationVersion {
  /** Unique identifier of the application version. */
  readonly applicationVersionId: number;
  /** Status of the application. Known values: 1 new, 4 active, 9 obsolete. Null where there is none. */
  readonly status: number | null;
  /** What the value of status means; only with `descriptions: true`, null where nobody says. */
  readonly statusDescription?: string | null;
  /** Type of HTML5 component, used for widgets. Known values: APPLICATION application, WIDGET widget, COMPONENT component. */
  readonly type: string;
  /** What the value of type means; only with `descriptions: true`, null where nobody says. */
  readonly typeDescription?: string | null;
  /** Name of the application. */
  readonly name: string;
  /** Descriptive name. Null where there is none. */
  readonly descriptiveName: string | null;
  /** Descriptive tag of the application or component. Null where there is none. */
  readonly description: string | null;
  /** Namespace of the application. Null where there is none. */
  readonly namespace: string | null;
  /** URL of the application. Null where there is none. */
  readonly masterUrl: string | null;
  /** Matching keyword. Null where there is none. */
  readonly lookupKey: string | null;
  /** Priority used when a lookup selects among applications with the same application match. Null where there is none. */
  readonly lookupPriority: number | null;
  /** Content type. Known values: HTML5 HTML5 page, LINK link to an address. Null where there is none. */
  readonly contentType: string | null;
  /** What the value of contentType means; only with `descriptions: true`, null where nobody says. */
  readonly contentTypeDescription?: string | null;
  /** Version description. Null where there is none. */
  readonly changeDescription: string | null;
  /** When this version was created. As yyyy-MM-ddTHH:mm:ssZ. Null where there is none. */
  readonly createdAt: string | null;
  /** Person who created the version. Left out for who lacks the duty read-persons. */
  readonly createdBy?: {
    /** Identifier of the user. Null where there is none. */
    readonly userId: number | null;
    /** First name. Null where there is none. */
    readonly firstName: string | null;
    /** Last name. Null where there is none. */
    readonly name: string | null;
    /** Reference to the user. Null where there is none. */
    readonly userLink: string | null;
  };
  /** Company the application is restricted to. */
  readonly restrictedToCompany: {
    /** Identifier of the company. Null where there is none. */
    readonly companyId: number | null;
    /** Short code identifying the company database. Null where there is none. */
    readonly database: string | null;
    /** Reference to the company. Null where there is none. */
    readonly companyLink: string | null;
  };
  /** Permission needed to use the application. */
  readonly permission: {
    /** Identifier of the permission. Null where there is none. */
    readonly permissionId: number | null;
    /** Name of the permission. Null where there is none. */
    readonly name: string | null;
    /** Reference to the permission. Null where there is none. */
    readonly permissionLink: string | null;
  };
  /** GLOBAL objects are available in all systems; LOCAL objects only in the current system. Known values: GLOBAL available in all systems, LOCAL available in this system only. Null where there is none. */
  readonly scope: string | null;
  /** What the value of scope means; only with `descriptions: true`, null where nobody says. */
  readonly scopeDescription?: string | null;
  /** Changed locally and ready to be committed to the repository. Null where there is none. */
  readonly isChanged: boolean | null;
  /** Who made the change. Left out for who lacks the duty read-persons. */
  readonly changedBy?: {
    /** Identifier of the user. Null where there is none. */
    readonly userId: number | null;
    /** Last name. Null where there is none. */
    readonly name: string | null;
    /** First name. Null where there is none. */
    readonly firstName: string | null;
    /** Reference to the user. Null where there is none. */
    readonly userLink: string | null;
  };
  /** Changed locally and ready to be deployed from the repository. Null where there is none. */
  readonly isPendingDeployment: boolean | null;
  /** Wrapper application: the id of the main application; wrapper applications give different match names to one application. */
  readonly applicationId: number;
  /** Reference to the application. */
  readonly applicationLink: string;
  /** The field order that a customer chose. */
  readonly customFieldOrder: {
    /** JSON text describing the order of fields within components of the application. Null where there is none. */
    readonly fieldOrder: string | null;
  };
}

/** The versions of one application. Beyond the specification. */
export interface ApplicationVersionsItem {
  /** Unique identifier of the application version. */
  readonly applicationVersionId: number;
  /** Status of the application. Known values: 1 new, 4 active, 9 obsolete. Null where there is none. */
  readonly status: number | null;
  /** What the value of status means; only with `descriptions: true`, null where nobody says. */
  readonly statusDescription?: string | null;
  /** Type of HTML5 component, used for widgets. Known values: APPLICATION application, WIDGET widget, COMPONENT component. */
  readonly type: string;
  /** What the value of type means; only with `descriptions: true`, null where nobody says. */
  readonly typeDescription?: string | null;
  /** Name of the application. */
  readonly name: string;
  /** Descriptive name. Null where there is none. */
  readonly descriptiveName: string | null;
  /** Descriptive tag of the application or component. Null where there is none. */
  readonly description: string | null;
  /** Namespace of the application. Null where there is none. */
  readonly namespace: string | null;
  /** Content type. Known values: HTML5 HTML5 page, LINK link to an address. Null where there is none. */
  readonly contentType: string | null;
  /** What the value of contentType means; only with `descriptions: true`, null where nobody says. */
  readonly contentTypeDescription?: string | null;
  /** Version description. Null where there is none. */
  readonly changeDescription: string | null;
  /** When this version was created. As yyyy-MM-ddTHH:mm:ssZ. Null where there is none. */
  readonly createdAt: string | null;
  /** GLOBAL objects are available in all systems; LOCAL objects only in the current system. Known values: GLOBAL available in all systems, LOCAL available in this system only. Null where there is none. */
  readonly scope: string | null;
  /** What the value of scope means; only with `descriptions: true`, null where nobody says. */
  readonly scopeDescription?: string | null;
  /** Changed locally and ready to be committed to the repository. Null where there is none. */
  readonly isChanged: boolean | null;
  /** Changed locally and ready to be deployed from the repository. Null where there is none. */
  readonly isPendingDeployment: boolean | null;
  /** Reference to the application version. */
  readonly applicationVersionLink: string;
}

/** The applications, each as its newest version describes it. Beyond the specification. */
export interface ApplicationsItem {
  /** Identifier of the application. */
  readonly applicationId: number;
  /** Status of the application. Known values: 1 new, 4 active, 9 obsolete. Null where there is none. */
  readonly status: number | null;
  /** What the value of status means; only with `descriptions: true`, null where nobody says. */
  readonly statusDescription?: string | null;
  /** Type of HTML5 component, used for widgets. Known values: APPLICATION application, WIDGET widget, COMPONENT component. */
  readonly type: string;
  /** What the value of type means; only with `descriptions: true`, null where nobody says. */
  readonly typeDescription?: string | null;
  /** Name of the application. */
  readonly name: string;
  /** Descriptive name. Null where there is none. */
  readonly descriptiveName: string | null;
  /** Descriptive tag of the application or component. Null where there is none. */
  readonly description: string | null;
  /** Namespace of the application. Null where there is none. */
  readonly namespace: string | null;
  /** Number of its versions. */
  readonly numberOfVersions: number;
  /** Reference to the application version. */
  readonly applicationVersionLink: string;
  /** Reference to the list of its versions. */
  readonly versionsLink: string;
}

/** A company that application versions are restricted to. Beyond the specification. */
export interface Company {
  /** Identifier of the company. */
  readonly companyId: number;
  /** Short code identifying the company database. Null where there is none. */
  readonly database: string | null;
  /** The application versions that are restricted to it, highest identifier first; at most 100. */
  readonly applicationVersions: readonly CompanyApplicationVersion[];
}

/** An application version. */
export interface CompanyApplicationVersion {
  /** Unique identifier of the application version. */
  readonly applicationVersionId: number;
  /** Identifier of the application. */
  readonly applicationId: number;
  /** Status of the application. Known values: 1 new, 4 active, 9 obsolete. Null where there is none. */
  readonly status: number | null;
  /** What the value of status means; only with `descriptions: true`, null where nobody says. */
  readonly statusDescription?: string | null;
  /** Name of the application. */
  readonly name: string;
  /** Reference to the application version. */
  readonly applicationVersionLink: string;
}

/** The values that a field can hold, by priority and then by key. Beyond the specification. */
export interface DomainValuesItem {
  /** The value as fields hold it. */
  readonly key: string;
  /** What the value means, in the language of $lang. */
  readonly description: string;
  /** Place of the value among the others, from 1. */
  readonly priority: number;
}

/** What went wrong, and what to do about it. */
export interface ErrorDocument {
  /** HTTP status code of the response. */
  readonly hTTPStatusCode: string;
  /** Short description of the status code, written as one word. */
  readonly hTTPStatusDescription: string;
  /** Detailed English message, with parameter values already substituted. */
  readonly message: string;
  /** The message in the language of $lang; without it the English one. */
  readonly translatedMessage: string;
  /** Reference to the error message. */
  readonly errorMessage: {
    /** Unique identifier of the error message. */
    readonly errorMessageId: number;
    /** Reference to the error message. */
    readonly errorMessageLink: string;
  };
  /** Parameters used in the message; may be empty. */
  readonly parameters: readonly ErrorDocumentParameter[];
  /** Nested errors; may be empty. */
  readonly innerErrors: readonly ErrorDocumentInnerError[];
}

/** A nested error: the same without the HTTP status. */
export interface ErrorDocumentInnerError {
  /** Detailed English message, with parameter values already substituted. */
  readonly message: string;
  /** The message in the language of $lang; without it the English one. */
  readonly translatedMessage: string;
  /** Reference to the error message. */
  readonly errorMessage: {
    /** Unique identifier of the error message. */
    readonly errorMessageId: number;
    /** Reference to the error message. */
    readonly errorMessageLink: string;
  };
  /** Parameters used in the message; may be empty. */
  readonly parameters: readonly ErrorDocumentInnerErrorParameter[];
  /** Nested errors; may be empty. */
  readonly innerErrors: readonly ErrorDocumentInnerError[];
}

/** A parameter of the message. */
export interface ErrorDocumentInnerErrorParameter {
  /** Zero-based position of the parameter. */
  readonly index: number;
  /** Value of the parameter. */
  readonly value: string;
}

/** A parameter of the message. */
export interface ErrorDocumentParameter {
  /** Zero-based position of the parameter. */
  readonly index: number;
  /** Value of the parameter. */
  readonly value: string;
}

/** One error message with all its translations: where the link of an error leads to. */
export interface ErrorMessage {
  /** Error message identifier. */
  readonly errorMessageId: number;
  /** Object status of the error message. Known values: 1 new, 4 active, 9 obsolete. */
  readonly status: string;
  /** What the value of status means; only with `descriptions: true`, null where nobody says. */
  readonly statusDescription?: string | null;
  /** Namespace of the error message; used for categorization only. */
  readonly namespace: string;
  /** HTTP status code used when the error message is sent. */
  readonly httpStatusCode: number;
  /** The English error message. */
  readonly message: string;
  /** Comma-separated list of available translations. */
  readonly availableTranslations: string;
  /** Person identifier (PID) of the employee who created the message. Left out for who lacks the duty read-persons. */
  readonly createdBy?: number;
  /** When the error is raised and what to do, for integrators. */
  readonly technicalDescription: string;
  /** The message in every language. */
  readonly translations: readonly ErrorMessageTranslation[];
}

/** The message in one language. */
export interface ErrorMessageTranslation {
  /** Three-letter code of the language. */
  readonly language: string;
  /** The message, with {0}, {1}, ... for its parameters. */
  readonly message: string;
}

/** Every error message that the service can return. */
export interface ErrorMessagesItem {
  /** Error message identifier. */
  readonly errorMessageId: number;
  /** Object status of the error message. Known values: 1 new, 4 active, 9 obsolete. */
  readonly status: string;
  /** What the value of status means; only with `descriptions: true`, null where nobody says. */
  readonly statusDescription?: string | null;
  /** Namespace of the error message; used for categorization only. */
  readonly namespace: string;
  /** HTTP status code used when the error message is sent. */
  readonly httpStatusCode: number;
  /** The English error message. */
  readonly message: string;
  /** Comma-separated list of available translations. */
  readonly availableTranslations: string;
  /** Person identifier (PID) of the employee who created the message. Left out for who lacks the duty read-persons. */
  readonly createdBy?: number;
}

/** What a resource is, as the token of the request may see it: fields that it lacks the duty for are left out. Beyond the specification. */
export interface Metadata {
  /** What the resource tells. Only with `expand: ['Description']`. */
  readonly description?: string;
  /** Path of the resource below the address of the service; {name} stands for an identifier. */
  readonly uri: string;
  /** Most rows of a page, as $top=$max gives them; null: it is no list. */
  readonly maximumResultRows: number | null;
  /** Whether the token may read the resource: null throughout where it may. */
  readonly admittance: {
    /** Why not: the message that a request gets, in the language of $lang. Null where there is none. */
    readonly accessDenied: string | null;
    /** Number of the duty that is missing; null: none is. */
    readonly accessRuleId: number | null;
    /** Number of the client's permission that is missing; null: none is. */
    readonly missingPermissionId: number | null;
    /** Identifier of the error message that a request gets. Null where there is none. */
    readonly errorMessageId: number | null;
  };
  /** The identifiers in the path, and the parameters that not every resource takes. Only with `expand: ['URIParameters']`. */
  readonly uriParameters?: readonly MetadataUriParameter[];
  /** Empty, as resources are only read. */
  readonly inputFields: readonly MetadataInputField[];
  /** The fields of the object, or of an item of the list; with $expand=ExpandableFields also those that are served on request only. Paging, which every list has, is none of them. */
  readonly responseFields: readonly MetadataResponseField[];
  /** The fields that $filter knows; empty: it is no list. */
  readonly filterFields: readonly MetadataFilterField[];
  /** The fields that $orderby knows; empty: it is no list. */
  readonly sortableFields: readonly MetadataSortableField[];
  /** Empty, as $filter knows no filters by name. */
  readonly namedFilters: readonly MetadataNamedFilter[];
  /** Empty, as $filter has no macros. Only with `expand: ['MacroDefinitions']`. */
  readonly macroDefinitions?: readonly MetadataMacroDefinition[];
}

/** A field that $filter knows. */
export interface MetadataFilterField {
  /** What $filter calls it. */
  readonly name: string;
  /** What people call it, in the language of $lang. Only with `expand: ['TranslatedName']`. */
  readonly translatedName?: string;
  /** DateTime, Date, Time, Integer, Long, Decimal, Boolean or String; addresses are String. */
  readonly datatype: string;
  /** What it is, in a sentence. Only with `expand: ['Description']`. */
  readonly description?: string;
  /** The same in the language of $lang where it is translated, else in English. Only with `expand: ['TranslatedDescription']`. */
  readonly translatedDescription?: string;
  /** Address of the list of the values that it can have; null where it holds no domain value. Only with `expand: ['ApplicableDomainValues']`. */
  readonly applicableDomainValues?: string | null;
  /** The macros that it can be compared with; null: none, as $filter has no macros. */
  readonly macroSet: string | null;
}

/** A field of a request body. */
export interface MetadataInputField {
  /** Name of the field. */
  readonly name: string;
  /** What people call it, in the language of $lang. Only with `expand: ['TranslatedName']`. */
  readonly translatedName?: string;
  /** DateTime, Date, Time, Integer, Long, Decimal, Boolean or String; addresses are String. */
  readonly datatype: string;
  /** What it is, in a sentence. Only with `expand: ['Description']`. */
  readonly description?: string;
  /** The same in the language of $lang where it is translated, else in English. Only with `expand: ['TranslatedDescription']`. */
  readonly translatedDescription?: string;
}

/** A macro. */
export interface MetadataMacroDefinition {
  /** Name of the macro. */
  readonly name: string;
}

/** A filter with a name. */
export interface MetadataNamedFilter {
  /** Name of the filter. */
  readonly name: string;
  /** What people call it, in the language of $lang. Only with `expand: ['TranslatedName']`. */
  readonly translatedName?: string;
  /** What it is, in a sentence. Only with `expand: ['Description']`. */
  readonly description?: string;
  /** The same in the language of $lang where it is translated, else in English. Only with `expand: ['TranslatedDescription']`. */
  readonly translatedDescription?: string;
}

/** A field of the answer. */
export interface MetadataResponseField {
  /** Name of the XML element; JSON lowers its first letter. */
  readonly name: string;
  /** What people call it, in the language of $lang. Only with `expand: ['TranslatedName']`. */
  readonly translatedName?: string;
  /** DateTime, Date, Time, Integer, Long, Decimal, Boolean or String; addresses are String. */
  readonly datatype: string;
  /** Where it is in the JSON of the object, or of an item of the list, with dots between and [] behind what is an array. $select takes what stands before a []. */
  readonly path: string;
  /** What it is, in a sentence. Only with `expand: ['Description']`. */
  readonly description?: string;
  /** The same in the language of $lang where it is translated, else in English. Only with `expand: ['TranslatedDescription']`. */
  readonly translatedDescription?: string;
  /** Whether $showDomainDescriptions=true explains its values. */
  readonly hasDomainDescription: boolean;
  /** Address of the list of the values that it can have; null where it holds no domain value. Only with `expand: ['ApplicableDomainValues']`. */
  readonly applicableDomainValues?: string | null;
  /** What $expand has to be for it; null: it is served without. Only with `expand: ['ExpandableFields']`. */
  readonly expandParameter?: string | null;
}

/** A field that $orderby knows. */
export interface MetadataSortableField {
  /** What $orderby calls it. */
  readonly name: string;
  /** What people call it, in the language of $lang. Only with `expand: ['TranslatedName']`. */
  readonly translatedName?: string;
  /** DateTime, Date, Time, Integer, Long, Decimal, Boolean or String; addresses are String. */
  readonly datatype: string;
  /** What it is, in a sentence. Only with `expand: ['Description']`. */
  readonly description?: string;
  /** The same in the language of $lang where it is translated, else in English. Only with `expand: ['TranslatedDescription']`. */
  readonly translatedDescription?: string;
}

/** A parameter of the path, or one after the `?`. */
export interface MetadataUriParameter {
  /** Name of the parameter. */
  readonly name: string;
  /** DateTime, Date, Time, Integer, Long, Decimal, Boolean or String; addresses are String. */
  readonly datatype: string;
  /** What it is, in a sentence. Only with `expand: ['Description']`. */
  readonly description?: string;
  /** The same in the language of $lang where it is translated, else in English. Only with `expand: ['TranslatedDescription']`. */
  readonly translatedDescription?: string;
  /** Whether the resource cannot be asked without it. */
  readonly isRequired: boolean;
  /** Smallest value; null: there is none. */
  readonly minimumValue: number | null;
  /** Largest value; null: there is none. */
  readonly maximumValue: number | null;
  /** What it is where it is left out; null: nothing. */
  readonly defaultValue: string | null;
}

/** Where this page stands in the list, and its neighbours. */
export interface Paging {
  /** Number of elements per page as set by $top. */
  readonly pageSize: number;
  /** Position of the first element in the list, from 1; 0 in an empty list. */
  readonly position: number;
  /** Page index, from 1. */
  readonly page: number;
  /** Key for navigating to the first page. Null where there is none. Only with `expand: ['PagingDetails']`. */
  readonly firstPageKey?: string | null;
  /** Link to the first page; its $pageKey is FirstPageKey. Null where there is none. */
  readonly firstPage: string | null;
  /** Key for navigating to the previous page. Null where there is none. Only with `expand: ['PagingDetails']`. */
  readonly previousPageKey?: string | null;
  /** Link to the previous page; its $pageKey is PreviousPageKey. Null where there is none. */
  readonly previousPage: string | null;
  /** Key for navigating to the next page. Null where there is none. Only with `expand: ['PagingDetails']`. */
  readonly nextPageKey?: string | null;
  /** Link to the next page; its $pageKey is NextPageKey. Null where there is none. */
  readonly nextPage: string | null;
  /** Key for navigating to the last page. Null where there is none. Only with `expand: ['PagingDetails']`. */
  readonly lastPageKey?: string | null;
  /** Link to the last page; its $pageKey is LastPageKey. Null where there is none. */
  readonly lastPage: string | null;
  /** Total number of records; only with $inlinecount=allpages. */
  readonly size?: number;
}

/** A permission that application versions need. Beyond the specification. */
export interface Permission {
  /** Identifier of the permission. */
  readonly permissionId: number;
  /** Name of the permission. Null where there is none. */
  readonly name: string | null;
  /** The application versions that need it, highest identifier first; at most 100. */
  readonly applicationVersions: readonly PermissionApplicationVersion[];
}

/** An application version. */
export interface PermissionApplicationVersion {
  /** Unique identifier of the application version. */
  readonly applicationVersionId: number;
  /** Identifier of the application. */
  readonly applicationId: number;
  /** Status of the application. Known values: 1 new, 4 active, 9 obsolete. Null where there is none. */
  readonly status: number | null;
  /** What the value of status means; only with `descriptions: true`, null where nobody says. */
  readonly statusDescription?: string | null;
  /** Name of the application. */
  readonly name: string;
  /** Reference to the application version. */
  readonly applicationVersionLink: string;
}

/** What completed work order operations took compared with what is planned; missing where nothing is planned. Beyond the specification. */
export interface PlanComparisonGroup {
  /** Hours over plan of run, setup and cleanup together, without those for which nothing is planned. Null where there is none. */
  readonly hoursOverPlan: number | null;
  /** Processing compared with plan. */
  readonly processing: {
    /** Average run time minus the planned one, in hours; negative where it is less. Null where there is none. */
    readonly runTimeDifference: number | null;
    /** Difference of run time in percent of the planned one, of the exact average, rounded half away from zero to 2 decimals; missing also where 0 is planned. Null where there is none. */
    readonly runTimeOverPlanPercent: number | null;
    /** Hours that all completed operations took more than planned: the sum of run time minus the count of those reported times the plan. Null where there is none. */
    readonly runTimeHoursOverPlan: number | null;
  };
  /** Changeover compared with plan. */
  readonly changeover: {
    /** Setup compared with plan. */
    readonly setup: {
      /** Average setup time minus the planned one, in hours; negative where it is less. Null where there is none. */
      readonly setupTimeDifference: number | null;
      /** Difference of setup time in percent of the planned one, of the exact average, rounded half away from zero to 2 decimals; missing also where 0 is planned. Null where there is none. */
      readonly setupTimeOverPlanPercent: number | null;
      /** Hours that all completed operations took more than planned: the sum of setup time minus the count of those reported times the plan. Null where there is none. */
      readonly setupTimeHoursOverPlan: number | null;
    };
    /** Cleanup compared with plan. */
    readonly cleanup: {
      /** Average cleanup time minus the planned one, in hours; negative where it is less. Null where there is none. */
      readonly cleanupTimeDifference: number | null;
      /** Difference of cleanup time in percent of the planned one, of the exact average, rounded half away from zero to 2 decimals; missing also where 0 is planned. Null where there is none. */
      readonly cleanupTimeOverPlanPercent: number | null;
      /** Hours that all completed operations took more than planned: the sum of cleanup time minus the count of those reported times the plan. Null where there is none. */
      readonly cleanupTimeHoursOverPlan: number | null;
    };
  };
}

/** What is planned for one operation, in hours. */
export interface PlannedProductionTimesGroup {
  /** Planned processing. */
  readonly processing: {
    /** Run time of the product structure operation in hours; changeover time is not included. Null where there is none. */
    readonly runTime: number | null;
  };
  /** Planned changeover. */
  readonly changeover: {
    /** Changeover pre/setup time in hours. Null where there is none. */
    readonly setupTime: number | null;
    /** Changeover post/cleanup time in hours. Null where there is none. */
    readonly cleanupTime: number | null;
  };
}

/** One product with the versions of its structure. Beyond the specification. */
export interface Product {
  /** Product identifier. */
  readonly productId: number;
  /** Status of the product. Known values: 2 new, 3 for approval, 4 ordinary, 5 to be revised, 6 on hold, 7 end of life announced, 9 obsolete. */
  readonly status: number;
  /** What the value of status means; only with `descriptions: true`, null where nobody says. */
  readonly statusDescription?: string | null;
  /** Name of the product. */
  readonly name: string;
  /** Type of product. Known values: K product with structure, KA product with structure, assembled, KS product with structure, standard, KM product with structure, module, P ordinary part. */
  readonly type: string;
  /** What the value of type means; only with `descriptions: true`, null where nobody says. */
  readonly typeDescription?: string | null;
  /** Description of the product. */
  readonly description: string;
  /** Number of structure versions of the product. */
  readonly numberOfStructureVersions: number;
  /** The structure versions of the product, highest identifier first; at most 100. */
  readonly structureVersions: readonly ProductProductStructureVersion[];
}

/** A version of the structure of the product. */
export interface ProductProductStructureVersion {
  /** Product structure identifier. */
  readonly productStructureVersionId: number;
  /** Status of the product structure. Known values: 1 draft, 4 active, 9 obsolete. */
  readonly status: number;
  /** What the value of status means; only with `descriptions: true`, null where nobody says. */
  readonly statusDescription?: string | null;
  /** Name of the product structure version. */
  readonly name: string;
  /** Version number. */
  readonly version: number;
  /** Revision. */
  readonly revision: string;
  /** Reference to the product structure version. */
  readonly productStructureVersionLink: string;
}

/** The product structure. */
export interface ProductStructureGroup {
  /** The product that the structure makes. */
  readonly product: {
    /** Product identifier. */
    readonly productId: number;
    /** Status of the product. Known values: 2 new, 3 for approval, 4 ordinary, 5 to be revised, 6 on hold, 7 end of life announced, 9 obsolete. */
    readonly status: number;
    /** What the value of status means; only with `descriptions: true`, null where nobody says. */
    readonly statusDescription?: string | null;
    /** Name of the product. */
    readonly name: string;
    /** Type of product. Known values: K product with structure, KA product with structure, assembled, KS product with structure, standard, KM product with structure, module, P ordinary part. */
    readonly type: string;
    /** What the value of type means; only with `descriptions: true`, null where nobody says. */
    readonly typeDescription?: string | null;
    /** Description of the product. */
    readonly description: string;
    /** Reference to the product. */
    readonly productLink: string;
  };
}

/** One product structure version with its product and planned times. Beyond the specification. */
export interface ProductStructureVersion {
  /** Product structure identifier. */
  readonly productStructureVersionId: number;
  /** Status of the product structure. Known values: 1 draft, 4 active, 9 obsolete. */
  readonly status: number;
  /** What the value of status means; only with `descriptions: true`, null where nobody says. */
  readonly statusDescription?: string | null;
  /** Name of the product structure version. */
  readonly name: string;
  /** Version number. */
  readonly version: number;
  /** Revision; typically a major change, whereas minor changes are stored in Version. */
  readonly revision: string;
  /** The product structure. */
  readonly productStructure: ProductStructureGroup;
  /** Reference to the product structure version. */
  readonly productStructureVersionLink: string;
  /** What is planned for one operation, in hours. Left out for who lacks the duty read-planned-times. */
  readonly plannedProductionTimes?: PlannedProductionTimesGroup;
  /** Reference to what completed operations took. */
  readonly aggregatedProductionTimesLink: string;
}

/** One product structure version with every planned and actual time, the last completion and, on request, the months. Beyond the specification. */
export interface ProductStructureVersionAggregatedProductionTime {
  /** The product structure version. */
  readonly productStructureVersion: ProductStructureVersionGroup;
  /** What is planned for one operation, in hours. Left out for who lacks the duty read-planned-times. */
  readonly plannedProductionTimes?: PlannedProductionTimesGroup;
  /** What completed work order operations took, in hours. */
  readonly aggregatedProductionTimes: AggregatedProductionTimesGroup;
  /** What completed work order operations took compared with what is planned; missing where nothing is planned. Beyond the specification. Only with `expand: ['PlanComparison']`. Left out for who lacks the duty read-planned-times. */
  readonly planComparison?: PlanComparisonGroup;
  /** When the newest of the completed operations was completed. As yyyy-MM-ddTHH:mm:ssZ. Null where there is none. */
  readonly lastCompletedAt: string | null;
  /** Reference to the list of the months. */
  readonly monthsLink: string;
  /** What the operations completed in each month took, newest month first; at most 120. Only with `expand: ['Months']`. */
  readonly months?: readonly ProductStructureVersionAggregatedProductionTimeMonth[];
}

/** What the operations completed in one month took, in hours. */
export interface ProductStructureVersionAggregatedProductionTimeMonth {
  /** Calendar month of completion in UTC, as yyyy-MM. */
  readonly month: string;
  /** Number of completed work order operations taken into the average calculation. */
  readonly numberOfCompletedProductionWorkOrders: number;
  /** Actual processing. */
  readonly processing: {
    /** Average run time in hours. Null where there is none. */
    readonly averageRunTime: number | null;
    /** Shortest run time in hours. Null where there is none. */
    readonly shortestRunTime: number | null;
    /** Longest run time in hours. Null where there is none. */
    readonly longestRunTime: number | null;
    /** Deviation of run time in hours: the population standard deviation. Null where there is none. */
    readonly deviationRunTime: number | null;
  };
  /** Actual changeover. */
  readonly changeover: {
    /** Actual setup. */
    readonly setup: {
      /** Average setup time in hours. Null where there is none. */
      readonly averageSetupTime: number | null;
      /** Shortest setup time in hours. Null where there is none. */
      readonly shortestSetupTime: number | null;
      /** Longest setup time in hours. Null where there is none. */
      readonly longestSetupTime: number | null;
      /** Deviation of setup time in hours: the population standard deviation. Null where there is none. */
      readonly deviationSetupTime: number | null;
    };
    /** Actual cleanup. */
    readonly cleanup: {
      /** Average cleanup time in hours. Null where there is none. */
      readonly averageCleanupTime: number | null;
      /** Shortest cleanup time in hours. Null where there is none. */
      readonly shortestCleanupTime: number | null;
      /** Longest cleanup time in hours. Null where there is none. */
      readonly longestCleanupTime: number | null;
      /** Deviation of cleanup time in hours: the population standard deviation. Null where there is none. */
      readonly deviationCleanupTime: number | null;
    };
  };
}

/** Product structure versions with planned times and with the average, shortest, longest and deviation of what completed work order operations took. Beyond the specification, `search` finds them by words in the names of product and structure version and in their identifiers. */
export interface ProductStructureVersionAggregatedProductionTimesItem {
  /** The product structure version. */
  readonly productStructureVersion: ProductStructureVersionGroup;
  /** What is planned for one operation, in hours. Left out for who lacks the duty read-planned-times. */
  readonly plannedProductionTimes?: PlannedProductionTimesGroup;
  /** What completed work order operations took, in hours. */
  readonly aggregatedProductionTimes: AggregatedProductionTimesGroup;
  /** What completed work order operations took compared with what is planned; missing where nothing is planned. Beyond the specification. Only with `expand: ['PlanComparison']`. Left out for who lacks the duty read-planned-times. */
  readonly planComparison?: PlanComparisonGroup;
}

/** The product structure version. */
export interface ProductStructureVersionGroup {
  /** Product structure identifier. */
  readonly productStructureVersionId: number;
  /** Status of the product structure. Known values: 1 draft, 4 active, 9 obsolete. */
  readonly status: number;
  /** What the value of status means; only with `descriptions: true`, null where nobody says. */
  readonly statusDescription?: string | null;
  /** Name of the product structure version. */
  readonly name: string;
  /** Version number. */
  readonly version: number;
  /** Revision; typically a major change, whereas minor changes are stored in Version. */
  readonly revision: string;
  /** The product structure. */
  readonly productStructure: ProductStructureGroup;
  /** Reference to the product structure version. */
  readonly productStructureVersionLink: string;
}

/** Planned times of which the average of at least 20 completed operations differs by 10 % or more, with the average as the time that should be planned. Beyond the specification. */
export interface ProductStructureVersionPlanSuggestionsItem {
  /** Structure version and kind of time, such as 4711-run. */
  readonly planSuggestionId: string;
  /** The product structure version. */
  readonly productStructureVersion: ProductStructureVersionGroup;
  /** What is planned, and what should be. Times are hours. */
  readonly planSuggestion: {
    /** Which of the times of the structure version. Known values: run Run time, setup Setup time, cleanup Cleanup time. */
    readonly kind: string;
    /** What the value of kind means; only with `descriptions: true`, null where nobody says. */
    readonly kindDescription?: string | null;
    /** The planned time. In hours. Null where there is none. */
    readonly plannedTime: number | null;
    /** The average of all completed operations that reported the time. In hours. Null where there is none. */
    readonly suggestedTime: number | null;
    /** Suggested minus planned. In hours. Null where there is none. */
    readonly timeDifference: number | null;
    /** The difference in percent of what is planned, rounded half away from zero to 2 decimals; missing where 0 is planned. Null where there is none. */
    readonly overPlanPercent: number | null;
    /** Completed operations that reported the time. */
    readonly numberOfOperations: number;
    /** Hours that all these operations took more than planned; negative where it was less. Null where there is none. */
    readonly hoursOverPlan: number | null;
    /** What would be planned more for the operations of the twelve months up to the newest in which one was completed. To order or filter by it takes long where there are many suggestions. In hours. Null where there is none. */
    readonly hoursAYear: number | null;
  };
}

/** Product structure versions with their product and planned times. Beyond the specification. */
export interface ProductStructureVersionsItem {
  /** Product structure identifier. */
  readonly productStructureVersionId: number;
  /** Status of the product structure. Known values: 1 draft, 4 active, 9 obsolete. */
  readonly status: number;
  /** What the value of status means; only with `descriptions: true`, null where nobody says. */
  readonly statusDescription?: string | null;
  /** Name of the product structure version. */
  readonly name: string;
  /** Version number. */
  readonly version: number;
  /** Revision; typically a major change, whereas minor changes are stored in Version. */
  readonly revision: string;
  /** The product structure. */
  readonly productStructure: ProductStructureGroup;
  /** Reference to the product structure version. */
  readonly productStructureVersionLink: string;
  /** What is planned for one operation, in hours. Left out for who lacks the duty read-planned-times. */
  readonly plannedProductionTimes?: PlannedProductionTimesGroup;
  /** Reference to what completed operations took. */
  readonly aggregatedProductionTimesLink: string;
}

/** The products whose structure versions are known. Beyond the specification. */
export interface ProductsItem {
  /** Product identifier. */
  readonly productId: number;
  /** Status of the product. Known values: 2 new, 3 for approval, 4 ordinary, 5 to be revised, 6 on hold, 7 end of life announced, 9 obsolete. */
  readonly status: number;
  /** What the value of status means; only with `descriptions: true`, null where nobody says. */
  readonly statusDescription?: string | null;
  /** Name of the product. */
  readonly name: string;
  /** Type of product. Known values: K product with structure, KA product with structure, assembled, KS product with structure, standard, KM product with structure, module, P ordinary part. */
  readonly type: string;
  /** What the value of type means; only with `descriptions: true`, null where nobody says. */
  readonly typeDescription?: string | null;
  /** Description of the product. */
  readonly description: string;
}

/** What the token of the request stands for. Beyond the specification. */
export interface Session {
  /** Person identifier (PID) of who signed in; null where a program acts for itself. */
  readonly pid: number | null;
  /** Identifier of the customer; null, as no token of this service belongs to one. */
  readonly customerId: number | null;
  /** Identifier of the supplier; null, as no token of this service belongs to one. */
  readonly supplierId: number | null;
  /** Identifier of the contact; null, as no token of this service belongs to one. */
  readonly contactId: number | null;
  /** Short code of the default company of the token, which a request without $db runs against. */
  readonly database: string;
  /** RamBase name of the person; null, as no token of this service belongs to one. */
  readonly ramBaseName: string | null;
  /** Identifier of the API client, as OAuth 2 has it; null where the token was given to none. */
  readonly apiClientId: string | null;
}

/** A person whom application versions name, as the newest of them does. Beyond the specification. */
export interface User {
  /** Identifier of the user. */
  readonly userId: number;
  /** First name. Null where there is none. */
  readonly firstName: string | null;
  /** Last name. Null where there is none. */
  readonly name: string | null;
}

/** Every list, by its path. */
export interface Lists {
  /** Product structure versions with planned times and with the average, shortest, longest and deviation of what completed work order operations took. Beyond the specification, `search` finds them by words in the names of product and structure version and in their identifiers. `filter` knows ProductStructureVersionId, ProductStructureVersionStatus, ProductStructureVersionName, Version, Revision, ProductId, ProductStatus, ProductName, ProductType, RunTime (h), SetupTime (h), CleanupTime (h), NumberOfCompletedProductionWorkOrders, AverageRunTime (h), ShortestRunTime (h), LongestRunTime (h), DeviationRunTime (h), AverageSetupTime (h), ShortestSetupTime (h), LongestSetupTime (h), DeviationSetupTime (h), AverageCleanupTime (h), ShortestCleanupTime (h), LongestCleanupTime (h), DeviationCleanupTime (h), HoursOverPlan (h), RunTimeDifference (h), RunTimeOverPlanPercent (%), RunTimeHoursOverPlan (h), SetupTimeDifference (h), SetupTimeOverPlanPercent (%), SetupTimeHoursOverPlan (h), CleanupTimeDifference (h), CleanupTimeOverPlanPercent (%), CleanupTimeHoursOverPlan (h). */
  readonly '/product/structure-versions/aggregated-production-times': {
    readonly object: ProductStructureVersionAggregatedProductionTimesItem;
    readonly expand: 'PagingDetails' | 'PlanComparison';
    readonly order:
      | 'ProductName'
      | 'RunTime'
      | 'SetupTime'
      | 'CleanupTime'
      | 'NumberOfCompletedProductionWorkOrders'
      | 'AverageRunTime'
      | 'ShortestRunTime'
      | 'LongestRunTime'
      | 'DeviationRunTime'
      | 'AverageSetupTime'
      | 'ShortestSetupTime'
      | 'LongestSetupTime'
      | 'DeviationSetupTime'
      | 'AverageCleanupTime'
      | 'ShortestCleanupTime'
      | 'LongestCleanupTime'
      | 'DeviationCleanupTime'
      | 'HoursOverPlan'
      | 'RunTimeDifference'
      | 'RunTimeOverPlanPercent'
      | 'RunTimeHoursOverPlan'
      | 'SetupTimeDifference'
      | 'SetupTimeOverPlanPercent'
      | 'SetupTimeHoursOverPlan'
      | 'CleanupTimeDifference'
      | 'CleanupTimeOverPlanPercent'
      | 'CleanupTimeHoursOverPlan';
    readonly search: string;
  };
  /** What the operations of one product structure version took, by calendar month (UTC) of completion, newest month first. Beyond the specification. `filter` knows Month, NumberOfCompletedProductionWorkOrders, AverageRunTime (h), ShortestRunTime (h), LongestRunTime (h), DeviationRunTime (h), AverageSetupTime (h), ShortestSetupTime (h), LongestSetupTime (h), DeviationSetupTime (h), AverageCleanupTime (h), ShortestCleanupTime (h), LongestCleanupTime (h), DeviationCleanupTime (h). */
  readonly '/product/structure-versions/{productStructureVersionId}/aggregated-production-times/months': {
    readonly object: AggregatedProductionTimeMonthsItem;
    readonly expand: 'PagingDetails';
    readonly order:
      | 'Month'
      | 'NumberOfCompletedProductionWorkOrders'
      | 'AverageRunTime'
      | 'ShortestRunTime'
      | 'LongestRunTime'
      | 'DeviationRunTime'
      | 'AverageSetupTime'
      | 'ShortestSetupTime'
      | 'LongestSetupTime'
      | 'DeviationSetupTime'
      | 'AverageCleanupTime'
      | 'ShortestCleanupTime'
      | 'LongestCleanupTime'
      | 'DeviationCleanupTime';
    readonly search: never;
  };
  /** Planned times of which the average of at least 20 completed operations differs by 10 % or more, with the average as the time that should be planned. Beyond the specification. `filter` knows PlanSuggestionId, ProductStructureVersionId, ProductStructureVersionStatus, ProductStructureVersionName, Version, Revision, ProductId, ProductStatus, ProductName, ProductType, Kind, PlannedTime (h), SuggestedTime (h), TimeDifference (h), OverPlanPercent (%), NumberOfOperations, HoursOverPlan (h), HoursAYear (h). */
  readonly '/product/structure-versions/plan-suggestions': {
    readonly object: ProductStructureVersionPlanSuggestionsItem;
    readonly expand: 'PagingDetails';
    readonly order:
      | 'ProductName'
      | 'PlannedTime'
      | 'SuggestedTime'
      | 'TimeDifference'
      | 'OverPlanPercent'
      | 'NumberOfOperations'
      | 'HoursOverPlan'
      | 'HoursAYear';
    readonly search: string;
  };
  /** Product structure versions with their product and planned times. Beyond the specification. `filter` knows ProductStructureVersionId, ProductStructureVersionStatus, ProductStructureVersionName, Version, Revision, ProductId, ProductStatus, ProductName, ProductType, RunTime (h), SetupTime (h), CleanupTime (h). */
  readonly '/product/structure-versions': {
    readonly object: ProductStructureVersionsItem;
    readonly expand: 'PagingDetails';
    readonly order: 'ProductName' | 'RunTime' | 'SetupTime' | 'CleanupTime';
    readonly search: string;
  };
  /** The products whose structure versions are known. Beyond the specification. `filter` knows ProductId, Status, Name, Type, Description. */
  readonly '/product/products': {
    readonly object: ProductsItem;
    readonly expand: 'PagingDetails';
    readonly order: 'ProductId' | 'Name';
    readonly search: string;
  };
  /** The applications, each as its newest version describes it. Beyond the specification. `filter` knows ApplicationId, Status, Type, Name, DescriptiveName, Namespace. */
  readonly '/system/applications': {
    readonly object: ApplicationsItem;
    readonly expand: 'PagingDetails';
    readonly order: 'ApplicationId' | 'Name';
    readonly search: string;
  };
  /** The versions of one application. Beyond the specification. `filter` knows ApplicationVersionId, Status, Type, Name, DescriptiveName, Namespace, Scope. */
  readonly '/system/applications/{applicationId}/versions': {
    readonly object: ApplicationVersionsItem;
    readonly expand: 'PagingDetails';
    readonly order: 'ApplicationVersionId' | 'Name';
    readonly search: string;
  };
  /** Every error message that the service can return. `filter` knows ErrorMessageId, Status, Namespace, HttpStatusCode, Message, CreatedBy. */
  readonly '/system/error-messages': {
    readonly object: ErrorMessagesItem;
    readonly expand: 'PagingDetails';
    readonly order: 'ErrorMessageId' | 'Status' | 'Namespace' | 'HttpStatusCode' | 'Message' | 'CreatedBy';
    readonly search: string;
  };
  /** The values that a field can hold, by priority and then by key. Beyond the specification. `filter` knows Key, Description, Priority. */
  readonly '/system/domain-values/applicable-values': {
    readonly object: DomainValuesItem;
    readonly parameters: {
      /** What has the field, in any case. */
      readonly object: string;
      /** The field, in any case: ProductStructureVersion.Status, Product.Status, Product.Type, PlanSuggestion.Kind, Application.Status, Application.Type, Application.ContentType, Application.Scope, ErrorMessage.Status. */
      readonly field: string;
    };
    readonly expand: 'PagingDetails';
    readonly order: 'Key' | 'Description' | 'Priority';
    readonly search: never;
  };
}

/** Every object that is read alone, by its path. */
export interface Details {
  /** One product structure version with every planned and actual time, the last completion and, on request, the months. Beyond the specification. */
  readonly '/product/structure-versions/{productStructureVersionId}/aggregated-production-times': {
    readonly object: ProductStructureVersionAggregatedProductionTime;
    readonly expand: 'PlanComparison' | 'Months';
  };
  /** One product structure version with its product and planned times. Beyond the specification. */
  readonly '/product/structure-versions/{productStructureVersionId}': {
    readonly object: ProductStructureVersion;
    readonly expand: never;
  };
  /** One product with the versions of its structure. Beyond the specification. */
  readonly '/product/products/{productId}': {
    readonly object: Product;
    readonly expand: never;
  };
  /** One application as its newest version describes it. Beyond the specification. */
  readonly '/system/applications/{applicationId}': {
    readonly object: Application;
    readonly expand: never;
  };
  /** One version of an application: a registered component or widget of the user interface. */
  readonly '/system/applications/{applicationId}/versions/{applicationVersionId}': {
    readonly object: ApplicationVersion;
    readonly expand: never;
  };
  /** A person whom application versions name, as the newest of them does. Beyond the specification. */
  readonly '/system/users/{userId}': {
    readonly object: User;
    readonly expand: never;
  };
  /** A company that application versions are restricted to. Beyond the specification. */
  readonly '/system/companies/{companyId}': {
    readonly object: Company;
    readonly expand: never;
  };
  /** A permission that application versions need. Beyond the specification. */
  readonly '/system/permissions/{permissionId}': {
    readonly object: Permission;
    readonly expand: never;
  };
  /** One error message with all its translations: where the link of an error leads to. */
  readonly '/system/error-messages/{errorMessageId}': {
    readonly object: ErrorMessage;
    readonly expand: never;
  };
  /** What the token of the request stands for. Beyond the specification. */
  readonly '/system/sessions/current': {
    readonly object: Session;
    readonly expand: never;
  };
  /** What a resource is, as the token of the request may see it: fields that it lacks the duty for are left out. Beyond the specification. */
  readonly '/metadata': {
    readonly object: Metadata;
    readonly parameters: {
      /** Path of a resource, with identifiers or with their names in braces, with or without a slash before it, or its whole address; what stands after a ? does not matter. */
      readonly uri: string;
      /** Method that the resource is asked with, in any case; resources answer to GET and HEAD only. */
      readonly verb?: string;
    };
    readonly expand:
      | 'Description'
      | 'URIParameters'
      | 'TranslatedDescription'
      | 'TranslatedName'
      | 'ApplicableDomainValues'
      | 'ExpandableFields'
      | 'MacroDefinitions';
  };
}
