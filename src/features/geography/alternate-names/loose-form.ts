/**
 * Simplified Chinese characters, each followed by its traditional, Taiwanese, Hong Kong and Japanese forms, limited to those in place
 * names. From the dictionaries of OpenCC (Apache License 2.0).
 */
const FORMS = `
  万萬 与與 业業 丛叢 东東 丝絲糸 两兩両 严嚴厳 个個箇 丰豐豊 临臨 丽麗 举舉 义義 乌烏 乐樂楽 乔喬 习習 乡鄉 书書 买買
  于於 云雲 亚亞亜 产產産 亩畝 从從従 仑侖崙 仓倉 仪儀 众眾衆 优優 伙夥 会會 伟偉 伦倫 体體 余餘 佛彿仏 俣俁 俭儉倹
  修脩 假仮 儿兒児 克剋 党黨 兰蘭 关關関 兴興 兹茲 养養 内內 冈岡 册冊 军軍 农農 冢塚 冯馮 冲沖衝 净凈淨浄 准準 凉涼
  凌淩 凑湊 几幾 凤鳳 凯凱 出齣 刘劉 则則 别別彆 剑劍剣 办辦 务務 动動 劳勞労 势勢 勋勛勳勲 匀勻 区區 千韆 升昇陞 华華
  协協 卜蔔 占佔 卢盧 卧臥 卫衛衞 却卻 卷巻 厂廠 厅廳庁 历厤曆歷暦歴 厉厲 厢廂 厦廈 县縣県 参參蔘 双雙 发發髮発髪 叙敍
  叠疊畳 台檯臺颱枱 叶葉 号號 合閤 吊弔 同衕 后後 向嚮曏 吕呂 启啓啟 吴吳 呗唄 员員 呜嗚 周週 咸鹹 响響 哑啞唖 唇脣
  喷噴 回迴 团團糰団 园園 围圍囲 国國 图圖図 圈圏 圣聖 场場 坚堅 坛墰壇壜罈罎 坜壢 坝垻壩 坞塢 垄壟 垦墾 垫墊 垭埡 垱壋
  埼碕 墙墻牆 增増 壤壌 声聲 壶壺 壹壱 处處処 备備 复復複 头頭 夸誇 夹夾袷 奋奮 奥奧 姜薑 娄婁 娅婭 娘孃嬢 孙孫 学學
  宁寧 宝寶 实實実 宫宮 家傢 宽寬寛 宾賓 对對対 寻尋 寿壽 将將 尔爾 尧堯尭 属屬 屿嶼 岁歲歳 岗崗 岘峴 岚嵐 岛島 岩巖巌
  岭嶺 岳嶽 峡峽 峤嶠 峰峯 巢巣 巨鉅 巩鞏 布佈 帅帥 师師 带帶帯 席蓆 帮幫 干乾幹榦 幸倖 幺麼麽么 广廣広 庄莊荘 庆慶
  庐廬 库庫 应應応 庙廟 庞龐 庵菴 开開 张張 弥彌瀰 弯彎 强強 归歸帰 当噹當 录彔錄録 彦彥 彩綵 彻徹 征徵徴 径徑逕 御禦
  德徳 志誌 怀懷懐 总總総 恒恆 悦悅 惠恵 战戰戦 戚慼 户戶 扇搧 才纔 扎紮 托託 扬揚 折摺 抚撫 护護 拐枴柺 拔抜 拜拝
  挂掛 揭掲 摄攝摂 敍敘 教敎 数數 斋齋 斗鬥 断斷 旗旂 无無 旧舊 时時 旸暘 昆崑 昙曇 显顯顕 晄晃 晋晉 晓曉暁 曲麯麴麹
  曾曽 札劄箚 朱硃 朴樸 机機 杂雜雑 权權権 杆桿 杠槓 条條 来來 杨楊 杰傑 松鬆 板闆 极極 枣棗 枧梘 枫楓 查査 栅柵 标標
  栋棟 栏欄 树樹 栖棲 栗慄 核覈 栾欒 桥橋 桦樺 桧檜 梁樑 梦夢 检検 棋棊 棱稜 楼樓 榄欖 榈櫚 槟檳 横橫 樱櫻桜 欢歡歓
  欧歐 步歩 毕畢 气氣気 汇匯彙滙 汉漢 汤湯 沈瀋 沟溝 沥瀝 沧滄 泄洩 泷滝 泸瀘 泽澤沢 泾涇 洒灑 洼窪 浅淺 济濟済 浏瀏
  浒滸 浓濃 浔潯 涂塗 涌湧 涛濤 涝澇 涞淶 涟漣 涡渦 润潤 涧澗 涨漲 涩澀 淀澱 渔漁 温溫 游遊 湾灣 溪谿渓 满滿満 滤沪
  滦灤 滨濱浜 滩灘 潇瀟 潍濰 潜潛 澁渋 澜瀾 濑瀨瀬 灯燈 灵靈霊 灶竈 炉爐 点點 烟煙菸 烦煩 烧燒焼 热熱 爱愛 独獨 狭狹
  狮獅 猫貓 玛瑪 环環 现現 珑瓏 琼瓊 瑶瑤 瓯甌 甁瓶 电電 画畫畵 皂皁 盏盞 盐鹽塩 盖蓋 盘盤 真眞 矶磯 矿礦 砀碭 码碼
  砖磚 砚硯 砺礪 硏研 硕碩 硖硤 碱鹼鹸 礼禮 禄祿 离離 秋鞦 种種 秘祕 积積 稳穩穏 稻稲 穗穂 窑窯 窝窩 窦竇 笃篤 笕筧
  笼籠 筑築 筿篠 简簡 箦簀 粮糧 累纍 红紅 约約 纪紀 纱紗 纳納 纸紙 纹紋 纽紐 线綫線 练練 细細 织織 绍紹 经經経 绒絨
  结結 绕繞遶 给給 绛絳 统統 绥綏 绩績 绫綾 绰綽 绳繩縄 维維 绵綿 绿綠緑 缅緬 缪繆 网網 罗羅 群羣 聂聶 联聯 聪聰
  肃肅粛 胜勝 胡衚鬍 胪臚 胶膠 脑腦脳 脚腳 脱脫 腊臘 腾騰 致緻 舍捨 艺藝芸 节節 芜蕪 芦蘆 苇葦 苍蒼 苏囌蘇 苹蘋 范範
  荆荊 荡盪蕩 荣榮栄 荫廕蔭 莱萊 莲蓮 莺鶯 萝蘿 萠萌 营營営 萧蕭 萨薩 蒋蔣 蒙懞濛矇 蓝藍 蔺藺 藏蔵 虬虯 蚕蠶 蚬蜆 补補
  表錶 见見 观觀観 觅覓 觉覺覚 让讓譲 讷訥 许許 论論 设設 访訪 诃訶 诏詔 诗詩 诞誕 语語 诸諸 诹諏 诺諾 读読 调調 谊誼
  谏諫 谟謨 谢謝 谦謙 谭譚 谯譙 谷穀 豫予 贝貝 贞貞 贡貢 财財 贤賢 贵貴 费費 贺賀 贾賈 资資 赉賚 赖賴頼 赛賽 赞讚贊賛
  赣贛 赵趙 赶趕 车車 轩軒 转轉転 轮輪 轻輕 辅輔 辉輝 边邊辺 辽遼 达達 迁遷 过過 迈邁 运運 进進 远遠 连連 迹跡蹟 逊遜
  遗遺 遥遙 邓鄧 邬鄔 邮郵 邹鄒 邻鄰 郁鬱 郑鄭 郞郎 郧鄖 郸鄲 鄕郷 采埰寀採 里裏裡 钏釧 钓釣 钟鈡鍾鐘 钢鋼 钦欽 钱錢銭
  钻鑽 铁鐵鉄 铃鈴 铜銅 铫銚 银銀 铺舖鋪 锅鍋 锋鋒 错錯 锡錫 锦錦 镇鎭鎮 镜鏡 镰鎌 长長 门門 闪閃 问問 间間 闵閔 闸閘
  闹鬧 闻聞 闽閩 闾閭 阁閣 阇闍 阎閻 阔闊 队隊 阳陽 阴陰 际際 陆陸 陇隴 陈陳 随隨 隐隱隠 雾霧 霸覇 静靜 面麪麫麵麺
  鞑韃 韦韋 韩韓 页頁 顶頂 顷頃 项項 顺順 须須 顾顧 顿頓 领領 颇頗 颈頸 颍潁 颗顆 颜顏 额額 风風 飞飛 饭飯 饶饒
  馆舘館 马馬 驹駒 驼駝 驾駕 驿驛駅 骆駱 骊驪 骑騎 骚騷 鱼魚 鲁魯 鲍鮑 鲜鮮 鲤鯉 鲭鯖 鲹鰺 鳄鰐 鳌鰲 鳞鱗 鸟鳥 鸠鳩
  鸡雞鷄鶏 鸣鳴 鸦鴉 鸬鸕 鸭鴨 鸯鴦 鸳鴛 鸽鴿 鸿鴻 鹅鵝 鹊鵲 鹏鵬 鹚鶿鷀 鹤鶴 鹫鷲 鹭鷺 鹰鷹 麦麥 黄黃 黑黒 默黙
  齐齊斉 龙龍竜 龚龔 龟龜亀
`;

/** Simplified form by each other form. */
const SIMPLIFIED = new Map(
  FORMS.trim()
    .split(/\s+/)
    .flatMap(([simplified = '', ...others]) => others.map((other) => [other, simplified] as const)),
);

/**
 * Apostrophes and half rings, quotation marks, middle dots, the Arabic letter that only lengthens a word, the dot below letters of
 * Devanagari, the Thai abbreviation sign.
 */
const DROPPED = /['"\u02be\u02bf\u05f3\u05f4·・ـ\u093c\u0e2f]+/g;
/** Word separators, including the Hebrew hyphen. */
const BETWEEN_WORDS = /[\s\-/,;:()[\]\u05be]+/g;
/** Letters that some keyboards lack: Persian and Urdu versus Arabic, Ukrainian versus Russian, the nasal signs of Devanagari. */
const SAME_LETTERS: Readonly<Record<string, string>> = {
  ی: 'ي',
  ى: 'ي',
  ے: 'ي',
  ک: 'ك',
  ة: 'ه',
  ہ: 'ه',
  ھ: 'ه',
  ە: 'ه',
  ґ: 'г',
  '\u0901': '\u0902',
};
const HIRAGANA_TO_KATAKANA = 0x60;
/** Letters with several spellings. */
const SEVERAL_WAYS = /[ىیےکةہھەґ\u0901ぁ-ゖ\u3400-\u9fff]/g;

/** Most folded names, which are their own form. */
const PLAIN_WORDS = /^[a-z]+(?: [a-z]+)*$/;

function oneWay(letter: string): string {
  if (letter >= 'ぁ' && letter <= 'ゖ') return String.fromCharCode(letter.charCodeAt(0) + HIRAGANA_TO_KATAKANA);
  return SAME_LETTERS[letter] ?? SIMPLIFIED.get(letter) ?? letter;
}

/** A dot in front of a word; any other, as in `D.C.`, is dropped. */
const DOT_BEFORE_WORD = /\.(?=[^ .][^ .])/g;

/**
 * Returns a folded name in the form compared with what people type: without punctuation, with single spaces. `st. louis`, `st louis` and
 * `st.louis` become the same, and so do `winston-salem` and `winston salem`, `xi'an` and `xian`. Letters with several spellings get one:
 * `紐約` and `纽约` become the same, and so do `とうきょう` and `トウキョウ`.
 */
export function looseForm(folded: string): string {
  if (PLAIN_WORDS.test(folded)) return folded;
  return folded
    .replace(/ ?& ?/g, ' and ')
    .replace(DROPPED, '')
    .replace(BETWEEN_WORDS, ' ')
    .replace(DOT_BEFORE_WORD, ' ')
    .replaceAll('.', '')
    .replace(SEVERAL_WAYS, oneWay)
    .replace(/ {2,}/g, ' ')
    .trim();
}
